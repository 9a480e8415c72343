"""From a scene to a picture: felt, furniture, cards, chips, hands, light and the camera's own blemishes."""
