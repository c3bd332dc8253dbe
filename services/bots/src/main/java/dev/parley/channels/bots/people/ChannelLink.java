package dev.parley.channels.bots.people;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.UUID;

/**
 * Row of {@code channels.channel_link_t}: the account of a user of a channel.
 *
 * @param user their id on the channel
 */
@MappedEntity(value = "channel_link_t", schema = "channels")
public record ChannelLink(
        @Id @MappedProperty("link_id") UUID id,

        String bot,
        @MappedProperty("channel_user") String user,
        String name,
        @MappedProperty("user_id") UUID account,
        byte[] codeSha256,
        @MappedProperty("update_ts") Instant since) {
    @Override
    public String toString() {
        return "ChannelLink[" + id + "]";
    }
}
