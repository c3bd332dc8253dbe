package dev.parley.control.permissions;

import dev.parley.control.audit.Audit;
import dev.parley.control.definitions.Place;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.RuleRequest;
import dev.parley.domain.turn.ApprovalAnswer;
import dev.parley.platform.access.Known;
import dev.parley.platform.database.Database;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Makes the rules that people want who answered a question with "always": in their name and with their rights as they are now,
 * by all that holds over HTTP, and each one once.
 */
@Singleton
@Requires(property = "parley.role.control", value = "true", beans = Rules.class)
public final class WantedRules {
    private final Rules rules;
    private final Known known;
    private final Database database;

    WantedRules(Rules rules, Known known, Database database) {
        this.rules = rules;
        this.known = known;
        this.database = database;
    }

    /**
     * Makes a rule; why it is not made stands in the audit log.
     *
     * @throws IllegalStateException when that cannot be done now
     */
    public void take(RuleRequest wanted) {
        known.catchUp(); // who wants it may have got the right to a moment ago
        try {
            Place place = place(wanted);
            var body = new RuleBody(null, wanted.tool(), wanted.pattern(), PermissionAction.ALLOW.code(), null, null);
            rules.make(place, wanted.id(), body);
        } catch (ApiException e) {
            Audit.keep(database, refused(wanted, e));
        }
    }

    private Place place(RuleRequest wanted) {
        Caller caller =
                caller(wanted).orElseThrow(() -> ApiException.badRequest("unknown_user", "Nobody known here wants it"));
        return wanted.project() == null
                ? Place.host(caller)
                : Place.project(caller, ApprovalAnswer.PROJECT.needs(), wanted.project());
    }

    private Optional<Caller> caller(RuleRequest wanted) {
        try {
            return Caller.inNameOf(wanted.host(), UUID.fromString(wanted.by()), known);
        } catch (IllegalArgumentException e) { // somebody of a channel, without an account
            return Optional.empty();
        }
    }

    private static AuditEntry refused(RuleRequest wanted, ApiException why) {
        return new AuditEntry(
                Ids.of("refused", wanted.id()),
                wanted.host(),
                wanted.project() == null ? null : RecordKey.projectId(wanted.project()),
                "permission",
                "create",
                wanted.id().toString(),
                wanted.by(),
                null,
                null,
                Instant.now(),
                false,
                why.getMessage());
    }
}
