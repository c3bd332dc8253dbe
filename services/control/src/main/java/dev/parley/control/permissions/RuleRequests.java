package dev.parley.control.permissions;

import dev.parley.control.audit.Audit;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.domain.permission.PermissionAction;
import dev.parley.domain.permission.RuleRequest;
import dev.parley.domain.protocol.ApprovalAnswer;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Instant;

/**
 * Makes the rules that people want who answered a question with "always": in their name and with their rights as they are now,
 * by all that holds over HTTP, and each one once.
 */
@Singleton
@Requires(property = "parley.role.control", value = "true", beans = Rules.class)
public final class RuleRequests {
    private final Rules rules;
    private final AccessDirectory directory;
    private final Audit audit;

    RuleRequests(Rules rules, AccessDirectory directory, Audit audit) {
        this.rules = rules;
        this.directory = directory;
        this.audit = audit;
    }

    /**
     * Makes a rule; why it is not made stands in the audit log.
     *
     * @throws IllegalStateException when that cannot be done now
     */
    public void take(RuleRequest request) {
        directory.catchUp(); // who wants it may have got the right to a moment ago
        try {
            DefinitionScope scope = place(request);
            var body = new RuleBody(null, request.tool(), request.pattern(), PermissionAction.ALLOW.code(), null, null);
            rules.make(scope, request.id(), body);
        } catch (ApiException e) {
            audit.keep(refused(request, e));
        }
    }

    private DefinitionScope place(RuleRequest request) {
        Caller caller = Caller.inNameOf(request.host(), request.by(), directory)
                .orElseThrow(() -> ApiException.badRequest("unknown_user", "Nobody known here wants it"));
        return request.project() == null
                ? DefinitionScope.host(caller)
                : DefinitionScope.project(caller, ApprovalAnswer.PROJECT.needs(), request.project());
    }

    private static AuditEntry refused(RuleRequest request, ApiException why) {
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
                why.getMessage());
    }
}
