"""What an address is asked by."""

from typing import Any

from rest_framework import serializers

from annotation.kernel.api.refusals import refused


class ParametersSerializer(serializers.Serializer[Any]):
    """A parameter that there is not is a fault: misspelt, it would be left out and nobody would know."""

    def to_internal_value(self, data: Any) -> Any:
        if unknown := sorted(set(data) - set(self.fields)):
            raise refused({name: ["There is no such parameter."] for name in unknown})
        return super().to_internal_value(data)
