package dev.parley.control.people;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;

/** An identity provider with which the caller signs in. */
@Serdeable
@MappedEntity(value = "auth_identity_t", schema = "control")
@Schema(name = "Identity")
record LinkedIdentity(
        String provider,
        @JsonIgnore @Id String subject,
        @JsonIgnore UUID userId,
        @MappedProperty("created_ts") Instant createdAt) {}
