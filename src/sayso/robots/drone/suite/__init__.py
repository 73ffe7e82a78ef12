"""The drone suite: TypeFly's eleven indoor tasks, and a double for the model."""
