# The server, and nothing else: `docker build -t fakeserver .`
FROM python:3.13-slim AS wheel
WORKDIR /src
COPY pyproject.toml README.md LICENSE CHANGELOG.md ./
COPY fakeserver fakeserver
COPY scenarios scenarios
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
COPY --from=wheel /wheels /wheels
RUN pip install --no-cache-dir "$(ls /wheels/*.whl)[compress]"
ENV FAKESERVER_HOST=0.0.0.0 FAKESERVER_PORT=8437
EXPOSE 8437
USER nobody
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --start-interval=200ms CMD ["fakeserver", "ready"]
ENTRYPOINT ["fakeserver"]
CMD ["serve"]
