package dev.parley.domain.protocol;

import java.time.Instant;
import java.util.UUID;

/** A person is asked whether a tool call may be carried out. */
public record Approval(UUID approvalId, Instant askedAt, Instant expiresAt) {}
