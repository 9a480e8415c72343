"""Go on training from weights that are shipped: from OpenVINO's files back into a network of PyTorch.

The files hold every normalisation folded into the convolution before it. Here the convolution keeps the folded
weights, and the normalisation after it gets the statistics of the network's own answers to ``examples`` and a scale
and shift that undo them: the network answers as the files do, and can be trained further.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

_WEIGHTED: Final = {"Convolution", "GroupConvolution", "MatMul"}
_AGREES: Final = 0.02  # of the answers' spread: the files hold 16 bits


class ShippedWeightsError(ValueError):
    """A file that does not hold the weights of the network."""


def take_over(
    network: Any,
    path: Path,
    examples: Sequence[tuple[Any, ...]],
    *,
    converted: Callable[[Any], Any] | None = None,
) -> None:
    """Give a network the weights of an OpenVINO file; ``examples`` are batches of its inputs as it meets them.

    The layers of a network without branches lie in the file in the order in which they answer. For another network
    ``converted`` makes an OpenVINO model of it, whose order is that of the file.

    Raises:
        ShippedWeightsError: if the file is of another network.
    """
    import openvino  # noqa: PLC0415 - not needed where networks are only trained

    layers = _layers_in_order(network, examples[0])
    if converted is not None:
        layers = [layers[number] for number in _order_in_file(network, layers, converted)]
    told = list(_weights_in_order(openvino.Core().read_model(path)))
    if len(told) != len(layers):
        msg = f"{path}: expected {len(layers)} layers with weights, found {len(told)}"
        raise ShippedWeightsError(msg)
    for (layer, norm), (weight, bias) in zip(layers, told, strict=True):
        if weight.size != layer.weight.numel():
            msg = f"{path}: expected weights of shape {tuple(layer.weight.shape)}, found {weight.shape}"
            raise ShippedWeightsError(msg)
        _set(layer, norm, weight, bias)
    _check(network, path, examples[0])
    _learn_statistics(network, [norm for _, norm in layers if norm is not None], examples)


def between(before: Mapping[str, Any], after: Mapping[str, Any], way: float) -> dict[str, Any]:
    """Return weights a part of the way (0 to 1) between two sets of them; counters as they are after."""
    return {
        key: torch.lerp(before[key], value, way) if value.dtype.is_floating_point else value
        for key, value in after.items()
    }


def _layers_in_order(network: Any, example: tuple[Any, ...]) -> list[tuple[Any, Any]]:
    """The convolutions and linear layers in the order in which they answer, each with its normalisation or None."""
    called: list[Any] = []
    kinds = (nn.Conv1d, nn.Conv2d, nn.Linear, nn.BatchNorm1d, nn.BatchNorm2d)
    hooks = [
        module.register_forward_hook(lambda module, *_: called.append(module))
        for module in network.modules()
        if isinstance(module, kinds)
    ]
    network.eval()
    with torch.no_grad():
        network(*example)
    for hook in hooks:
        hook.remove()
    norms = (nn.BatchNorm1d, nn.BatchNorm2d)
    after = [*called[1:], None]
    return [
        (layer, following if isinstance(following, norms) else None)
        for layer, following in zip(called, after, strict=True)
        if not isinstance(layer, norms)
    ]


def _order_in_file(network: Any, layers: Sequence[tuple[Any, Any]], converted: Callable[[Any], Any]) -> list[int]:
    """The layers' numbers in the order in which a model of the network has them; weights of their own mark each."""
    kept = {name: value.clone() for name, value in network.state_dict().items()}
    with torch.no_grad():
        for number, (layer, norm) in enumerate(layers):
            layer.weight.fill_(number + 1.0)
            if norm is not None:
                norm.weight.fill_(1.0)
                norm.running_var.fill_(1.0)
    marks = [round(float(weight.flat[0])) for weight, _ in _weights_in_order(converted(network))]
    network.load_state_dict(kept)
    return [mark - 1 for mark in marks]


def _weights_in_order(model: Any) -> list[tuple[NDArray[Any], NDArray[Any] | None]]:
    found = []
    for node in model.get_ordered_ops():
        weight = _constant(node.input_value(1)) if node.get_type_name() in _WEIGHTED else None
        if weight is not None:
            found.append((weight, _bias_after(node)))
    return found


def _bias_after(node: Any) -> NDArray[Any] | None:
    """The constant that is added to what a node answers."""
    for target in node.output(0).get_target_inputs():
        following = target.get_node()
        if following.get_type_name() == "Add":
            return _constant(following.input_value(1 - target.get_index()))
    return None


def _constant(value: Any) -> NDArray[Any] | None:
    node = value.get_node()
    while node.get_type_name() in ("Convert", "Reshape") and node.get_input_size():
        node = node.input_value(0).get_node()
    return np.array(node.data, dtype=np.float32) if node.get_type_name() == "Constant" else None


def _set(layer: Any, norm: Any, weight: NDArray[Any], bias: NDArray[Any] | None) -> None:
    with torch.no_grad():
        layer.weight.copy_(torch.from_numpy(weight).reshape(layer.weight.shape))
        shift = torch.zeros(len(layer.weight)) if bias is None else torch.from_numpy(bias).flatten()
        if norm is None and layer.bias is not None:
            layer.bias.copy_(shift)
        if norm is not None:
            norm.running_mean.zero_()
            norm.running_var.fill_(1.0 - norm.eps)
            norm.weight.fill_(1.0)
            norm.bias.copy_(shift)


def _check(network: Any, path: Path, example: tuple[Any, ...]) -> None:
    with torch.no_grad():
        ours = network(*example)
    ours = ours[0] if isinstance(ours, tuple) else ours
    import openvino  # noqa: PLC0415 - as above

    compiled = openvino.Core().compile_model(path, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    theirs = next(iter(compiled([part.numpy() for part in example]).values()))
    off = float(np.abs(ours.numpy() - theirs).max()) / max(float(theirs.std()), 1e-6)
    if off > _AGREES:
        msg = f"{path}: expected the answers of the file, found some that differ by {off:.3f} of their spread"
        raise ShippedWeightsError(msg)


def _learn_statistics(network: Any, norms: Sequence[Any], examples: Sequence[tuple[Any, ...]]) -> None:
    """Let every normalisation know what it gets, without changing what it gives."""
    sums: dict[Any, list[Any]] = {norm: [] for norm in norms}
    hooks = [
        norm.register_forward_pre_hook(lambda norm, given: sums[norm].append(_moments(given[0]))) for norm in norms
    ]
    with torch.no_grad():
        for example in examples:
            network(*example)
        for hook in hooks:
            hook.remove()
        for norm, moments in sums.items():
            mean = torch.stack([first for first, _ in moments]).mean(dim=0)
            square = torch.stack([second for _, second in moments]).mean(dim=0)
            norm.running_mean.copy_(mean)
            norm.running_var.copy_((square - mean**2).clamp(min=1e-4))
            norm.weight.copy_((norm.running_var + norm.eps).sqrt())
            norm.bias.add_(mean)


def _moments(given: Any) -> tuple[Any, Any]:
    parts = given.transpose(0, 1).flatten(1)
    return parts.mean(dim=1), (parts**2).mean(dim=1)
