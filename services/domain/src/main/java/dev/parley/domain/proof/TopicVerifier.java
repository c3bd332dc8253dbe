package dev.parley.domain.proof;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Takes facts and says what is wrong with them. Facts of one topic partition come in their order, those of different topics in
 * any; all facts of a session have to come to the same proof. It depends on nothing but them and its scope.
 *
 * <p>It holds some hundred bytes for each command, turn and call of its sessions: whoever has more facts than memory spreads
 * the sessions over several proofs, one after the other, which count into the same {@link VerificationReport}.
 */
public final class TopicVerifier {
    private final ProofScope scope;
    private final VerificationReport proved;
    private final Map<String, SessionProof> sessions = new LinkedHashMap<>();

    public TopicVerifier(ProofScope scope, VerificationReport proved) {
        this.scope = scope;
        this.proved = proved;
    }

    /** The next fact. */
    public void take(Fact fact) {
        sessions.computeIfAbsent(fact.session(), key -> new SessionProof(key, scope, proved))
                .take(fact);
    }

    /** All facts were taken. */
    public void end() {
        sessions.values().forEach(SessionProof::end);
        sessions.clear();
    }
}
