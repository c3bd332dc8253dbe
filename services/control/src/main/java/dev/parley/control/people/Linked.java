package dev.parley.control.people;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.UUID;

/** Who somebody is at another provider. */
@MappedEntity(value = "auth_identity_t", schema = "control")
record Linked(
        String provider,
        @Id String subject,
        UUID userId,
        @MappedProperty("created_ts") Instant createdAt) {}
