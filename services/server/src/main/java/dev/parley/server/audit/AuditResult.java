package dev.parley.server.audit;

import dev.parley.domain.proof.VerificationReport;
import java.util.List;
import java.util.Map;

/**
 * The result of an audit.
 *
 * @param read records read, by topic
 * @param notes restrictions of the audit, in sentences
 */
public record AuditResult(AuditRange range, VerificationReport proved, Map<String, Long> read, List<String> notes) {
    public AuditResult {
        read = Map.copyOf(read);
        notes = List.copyOf(notes);
    }

    /** Whether the audit found no exceptions. */
    public boolean isProved() {
        return proved.total() == 0;
    }
}
