package dev.parley.domain.session;

import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.TurnEvent.SessionOpened;
import dev.parley.domain.protocol.origin.Actor;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The session under a key.
 *
 * @param turns number of the newest turn
 * @param settings overrides of the agents' configuration
 * @param permissions the session's own permission rules
 * @param shared whether people other than its user can read it
 * @param remembered banks that retain content of this session, or of earlier ones under the key
 * @param directives of its banks as last returned, highest priority first
 * @param instructed id of the instructions last given to the model, or null
 * @param owner who opened the first of its sessions; of those from before 0.2.0 it is derived
 * @param since the epoch in which the key got this owner
 * @param unheard whether it began with a posted message and nobody has written in it since: the first who does is its user
 */
@RecordBuilder
public record Session(
        UUID host,
        UUID sessionId,
        long epoch,
        SessionStatus status,
        String agent,
        String channel,
        @Nullable String channelId,
        @Nullable UUID parentSessionId,
        int depth,
        @Nullable String user,
        long turns,
        @Nullable Settings settings,
        List<PermissionRule> permissions,
        boolean shared,
        List<BankRef> remembered,
        List<Directive> directives,
        @Nullable UUID instructed,
        Actor owner,
        long since,
        boolean unheard)
        implements SessionBuilder.With {
    public Session {
        permissions = List.copyOf(permissions);
        remembered = List.copyOf(remembered);
        directives = List.copyOf(directives);
    }

    /** A new session. It keeps the sharing, banks and directives of an earlier one of the same owner under the key. */
    public static Session of(SessionOpened e, @Nullable Session earlier) {
        Session before = isTaken(earlier, e) ? null : earlier;
        return SessionBuilder.builder()
                .host(e.meta().host())
                .sessionId(e.meta().sessionId())
                .epoch(e.meta().epoch())
                .status(SessionStatus.ACTIVE)
                .agent(e.agent())
                .channel(e.channel())
                .channelId(e.channelId())
                .parentSessionId(e.parentSessionId())
                .depth(e.depth())
                .user(e.user())
                .permissions(List.of())
                .shared(before != null && before.shared())
                .remembered(before == null ? List.of() : before.remembered())
                .directives(before == null ? List.of() : before.directives())
                .owner(Owners.of(e))
                .since(
                        before != null
                                ? before.since()
                                : earlier == null ? 0 : e.meta().epoch())
                .build();
    }

    /** Whether this event gives the key of an earlier session another owner, who shares nothing with the earlier one. */
    public static boolean isTaken(@Nullable Session earlier, SessionOpened e) {
        return earlier != null && !earlier.ownedBy(e.meta().key()).equals(Owners.of(e));
    }

    /** Who owns the session, which has this key. */
    public Actor ownedBy(RecordKey key) {
        return owner.isKnown() ? owner : Owners.derive(key, channel, user);
    }

    /** Deleted, without any content. */
    public Session erase() {
        return with().status(SessionStatus.DELETED)
                .channelId(null)
                .settings(null)
                .permissions(List.of())
                .remembered(List.of())
                .directives(List.of())
                .instructed(null)
                .build();
    }

    /** This session, also retained by this bank. */
    public Session retainIn(BankRef bank) {
        return withRemembered(
                Stream.concat(remembered.stream(), Stream.of(bank)).toList());
    }
}
