package dev.parley.control.permissions;

import dev.parley.control.audit.Audit;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.RuleDocument;
import dev.parley.domain.permission.RuleRequest;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Instant;

/**
 * Creates the rules of people who answered an approval with "always": on their behalf, with their current rights,
 * validated as over HTTP, each exactly once.
 */
@Singleton
@Requires(beans = PermissionRules.class)
public final class RuleRequests {
    private final PermissionRules rules;
    private final AccessDirectory directory;
    private final Audit audit;

    RuleRequests(PermissionRules rules, AccessDirectory directory, Audit audit) {
        this.rules = rules;
        this.directory = directory;
        this.audit = audit;
    }

    /**
     * Creates a rule; a refusal is recorded in the audit log.
     *
     * @throws IllegalStateException when the rule cannot be created now and the request must be retried
     */
    public void create(RuleRequest request) {
        directory.catchUp(); // the user may have received the right just now
        try {
            DefinitionScope scope = scope(request);
            var rule = new RuleDocument(null, request.tool(), request.pattern(), PermissionAction.ALLOW, false, null);
            rules.create(scope, request.id(), rule);
        } catch (ApiException e) {
            audit.store(refusedEntry(request, e));
        }
    }

    private DefinitionScope scope(RuleRequest request) {
        Caller caller = Caller.inNameOf(request.host(), request.by(), directory)
                .orElseThrow(() -> ApiException.badRequest("unknown_user", "The requesting user is unknown here"));
        return DefinitionScope.of(caller, ApprovalAnswer.PROJECT.needs(), request.project());
    }

    private static AuditEntry refusedEntry(RuleRequest request, ApiException refusal) {
        return new AuditEntry(
                Ids.of("refused", request.id()),
                request.host(),
                request.project() == null ? null : RecordKey.projectId(request.project()),
                "permission",
                "create",
                request.id().toString(),
                request.by(),
                null,
                null,
                Instant.now(),
                false,
                refusal.getMessage());
    }
}
