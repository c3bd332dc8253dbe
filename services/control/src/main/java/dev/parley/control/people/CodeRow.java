package dev.parley.control.people;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.util.UUID;

/**
 * A one-time sign-in code.
 *
 * @param method the authentication method of the person
 */
@MappedEntity(value = "one_time_code_t", schema = "control")
record CodeRow(@Id UUID userId, String method) {}
