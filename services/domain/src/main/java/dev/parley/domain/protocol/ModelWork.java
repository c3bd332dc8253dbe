package dev.parley.domain.protocol;

/** Records on {@code model-requests}. */
public sealed interface ModelWork permits ModelRequest, CancelCall {}
