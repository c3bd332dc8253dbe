package dev.parley.control.people;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.util.UUID;

/** A code that signs somebody in once. @param method how they have proved who they are */
@MappedEntity(value = "one_time_code_t", schema = "control")
record CodeRow(@Id UUID userId, String method) {}
