package dev.parley.control.people;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A sign-in as its owner sees it.
 *
 * @param until expiry of its last refresh token
 */
@MappedEntity(value = "auth_session_t", schema = "control")
record SignIn(
        @Id @MappedProperty("auth_session_id") UUID id,

        String method,
        @Nullable String address,
        @Nullable String userAgent,
        @MappedProperty("created_ts") Instant createdAt,
        @MappedProperty("refresh_until_ts") Instant until) {}
