package dev.parley.tools.rest;

import dev.parley.domain.Ids;
import dev.parley.domain.access.Access;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Member;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.domain.definition.Endpoint;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.definitions.DefinitionCatalogue;
import dev.parley.platform.http.Caller;
import dev.parley.tools.ToolCallContext;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The endpoints of hosts, opened for calls with the current rights of the turn's user.
 *
 * @param audit records denied calls
 */
public record Endpoints(DefinitionCatalogue catalogue, AccessDirectory directory, Consumer<AuditEntry> audit) {
    /**
     * Opens an endpoint for a call.
     *
     * @throws DeniedException when the call may not use it, which is audited, or there is none
     */
    Endpoint open(String name, String method, ToolCallContext call) throws DeniedException {
        Endpoint endpoint = catalogue
                .in(call.host(), call.project())
                .endpoint(name)
                .orElseThrow(
                        () -> new DeniedException("the endpoint '%s' is disabled, or was deleted".formatted(name)));
        if (!endpoint.methods().contains(method)) {
            throw auditedDenial(
                    call,
                    name,
                    "the endpoint '%s' is not open to %s, only to %s"
                            .formatted(name, method, String.join(", ", endpoint.methods())));
        }
        if (!isOpen(endpoint, call) && !isOpenAfterAll(endpoint, call)) {
            throw auditedDenial(
                    call,
                    name,
                    "the person whose turn this is may not use the endpoint '%s' here; the administrators of the host can allow it"
                            .formatted(name));
        }
        return endpoint;
    }

    /** Checks again after catching up with recent changes of access rights. */
    private boolean isOpenAfterAll(Endpoint endpoint, ToolCallContext call) {
        directory.catchUp();
        return isOpen(endpoint, call);
    }

    private boolean isOpen(Endpoint endpoint, ToolCallContext call) {
        Optional<Account> person =
                Caller.inNameOf(call.host(), call.user(), directory).map(Caller::person);
        Optional<Member> member = person.flatMap(account -> directory.member(call.project(), account.user()));
        return Access.isOpen(endpoint, call.session().project(), person.orElse(null), member.orElse(null));
    }

    private DeniedException auditedDenial(ToolCallContext call, String name, String reason) {
        audit.accept(new AuditEntry(
                Ids.of("denied", call.callId()),
                call.host(),
                call.project(),
                "endpoint",
                "use",
                name,
                call.user(),
                null,
                call.turnId().toString(),
                Instant.now(),
                false,
                reason));
        return new DeniedException(reason);
    }

    /** A call may not use an endpoint. */
    static final class DeniedException extends Exception {
        private static final long serialVersionUID = 1;

        DeniedException(String message) {
            super(message);
        }
    }
}
