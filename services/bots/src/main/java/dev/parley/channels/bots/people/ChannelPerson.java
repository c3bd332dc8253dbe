package dev.parley.channels.bots.people;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;

/**
 * Row of {@code channels.person_t}: a user who was admitted, or has a pending code.
 *
 * @param user their id on the channel
 */
@MappedEntity(value = "person_t", schema = "channels")
public record ChannelPerson(
        @Id @MappedProperty("user_id") String user,

        String name,
        @MappedProperty("update_ts") Instant since) {}
