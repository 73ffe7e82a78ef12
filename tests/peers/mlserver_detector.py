"""A detector as a runtime of MLServer, which is not ours: it serves one of the tests' networks and nothing else."""

import numpy as np
import onnxruntime
from mlserver import MLModel
from mlserver.codecs import NumpyCodec
from mlserver.types import InferenceRequest, InferenceResponse


class ByColour(MLModel):
    async def load(self) -> bool:
        self.session = onnxruntime.InferenceSession(self.settings.parameters.uri)
        return True

    async def predict(self, payload: InferenceRequest) -> InferenceResponse:
        (given,) = payload.inputs
        picture = NumpyCodec.decode_input(given).astype(np.float32)
        outputs = self.session.run(None, {given.name: picture})
        names = [output.name for output in self.session.get_outputs()]
        return InferenceResponse(
            model_name=self.name,
            outputs=[NumpyCodec.encode_output(name, out) for name, out in zip(names, outputs, strict=True)],
        )
