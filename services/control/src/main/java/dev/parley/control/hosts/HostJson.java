package dev.parley.control.hosts;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.micronaut.data.annotation.DateCreated;
import io.micronaut.data.annotation.DateUpdated;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.data.annotation.Version;
import io.micronaut.serde.annotation.Serdeable;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;

/**
 * A host (tenant) with its own users, projects and sessions, shared with no other host.
 *
 * @param active True if the host's users may act.
 */
@Serdeable
@MappedEntity(value = "host_t", schema = "control")
@RecordBuilder
@Schema(name = "Host")
record HostJson(
        @Id @MappedProperty("host_id") UUID id,
        @MappedProperty("host_key") String key,
        String name,
        boolean active,
        @DateCreated @MappedProperty("created_ts") Instant createdAt,

        @JsonIgnore @DateUpdated @MappedProperty("update_ts")
        Instant updatedAt,

        @JsonIgnore @MappedProperty("update_user") String updatedBy,

        @JsonIgnore @Version @MappedProperty("aggregate_version")
        long version)
        implements HostJsonBuilder.With {}
