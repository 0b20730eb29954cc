"""litellm: `completion(stream=True)` with a model of `openai/…`, its chunks put together as openai's are."""

from __future__ import annotations

import os
from typing import Any

from fold import Fold
from loop import Case, run

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else importing it asks the network for prices

import litellm


def ask(case: Case, fold: Fold) -> None:
    body: Any = {**case.body(), "model": f"openai/{case.model}"}
    made = litellm.completion(**body, stream=True, api_base=case.base_url, api_key="any", timeout=case.time_limit)
    for chunk in made:
        fold.take(chunk.model_dump(warnings=False))


if __name__ == "__main__":
    litellm.suppress_debug_info = True
    run(ask)
