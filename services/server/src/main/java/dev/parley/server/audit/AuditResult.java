package dev.parley.server.audit;

import dev.parley.domain.proof.VerificationReport;
import java.util.List;
import java.util.Map;

/**
 * What an audit saw.
 *
 * @param read records that were read, by topic
 * @param notes what was not looked at, or is to be known of how it was, in sentences
 */
public record AuditResult(AuditRange range, VerificationReport proved, Map<String, Long> read, List<String> notes) {
    public AuditResult {
        read = Map.copyOf(read);
        notes = List.copyOf(notes);
    }

    /** Whether nothing was found. */
    public boolean isProved() {
        return proved.total() == 0;
    }
}
