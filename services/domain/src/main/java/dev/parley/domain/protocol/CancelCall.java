package dev.parley.domain.protocol;

import java.util.UUID;

/** Nobody wants the answer to this call any more. Best effort: whoever has the call stops and hands in what it has. */
public record CancelCall(UUID callId) implements ModelWork, ToolWork {}
