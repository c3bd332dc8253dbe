package dev.parley.domain.session;

import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.permission.PermissionRule;
import dev.parley.domain.protocol.SessionStatus;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the key stands for.
 *
 * @param turns number of the newest turn
 * @param settings how its turns are to be answered, where that is not as their agent says
 * @param permissions its own rules about tool calls
 * @param shared whether others than its user take part, or read what is said
 * @param remembered banks that remember something of it, or of earlier ones under the key
 * @param directives of its banks, as they said when they were asked last; the most important first
 * @param instructed names the instructions of the agent that its model was told last, or null
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
        @Nullable UUID instructed)
        implements SessionBuilder.With {
    public Session {
        permissions = List.copyOf(permissions);
        remembered = List.copyOf(remembered);
        directives = List.copyOf(directives);
    }

    /** Deleted, with nothing in it that anybody said. */
    public Session erased() {
        return with().status(SessionStatus.DELETED)
                .channelId(null)
                .settings(null)
                .permissions(List.of())
                .remembered(List.of())
                .directives(List.of())
                .instructed(null)
                .build();
    }

    /** The same, of which this bank remembers something, too. */
    public Session rememberedIn(BankRef bank) {
        return withRemembered(
                Stream.concat(remembered.stream(), Stream.of(bank)).toList());
    }
}
