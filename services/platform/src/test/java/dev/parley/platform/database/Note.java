package dev.parley.platform.database;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.util.UUID;

@MappedEntity(value = "note_t", schema = "notes")
record Note(UUID hostId, @Id String text) {}
