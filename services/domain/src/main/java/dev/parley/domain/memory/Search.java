package dev.parley.domain.memory;

import dev.parley.domain.bank.BankRef;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * What a bank looks for in itself, on other threads than the one that decides. The answer comes back to it as a result.
 *
 * @param looks each is carried out for itself
 * @param deadline when the answer is of no use any more
 */
public record Search(UUID callId, int attempt, BankRef bank, List<Look> looks, Instant deadline) {
    public Search {
        looks = List.copyOf(looks);
    }

    /**
     * One look.
     *
     * @param kinds of things: {@code turn}, {@code unit}, {@code reflection}
     * @param types of units; empty for all
     * @param tags of which one has to be there; empty for any
     * @param most how many are found
     */
    public record Look(String query, List<String> kinds, List<FactType> types, List<String> tags, int most) {
        public Look {
            kinds = List.copyOf(kinds);
            types = List.copyOf(types);
            tags = List.copyOf(tags);
        }
    }
}
