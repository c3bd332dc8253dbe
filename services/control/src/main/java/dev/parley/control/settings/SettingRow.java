package dev.parley.control.settings;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
import java.time.Instant;
import java.util.UUID;

/**
 * A setting of a host, a project or a person.
 *
 * @param value JSON
 */
@MappedEntity(value = "setting_t", schema = "control")
record SettingRow(
        UUID hostId,
        @Id String name,
        @TypeDef(type = DataType.JSON) String value,
        @MappedProperty("update_ts") Instant updatedAt,
        boolean active,
        @MappedProperty("aggregate_version") long version) {}
