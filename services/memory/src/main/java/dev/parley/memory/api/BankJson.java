package dev.parley.memory.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.domain.memory.BankProfile;
import dev.parley.memory.api.MemoryBankRows.Count;
import dev.parley.platform.http.ReadableText;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A memory bank.
 *
 * @param scope Owner of the bank: user, user_agent, agent or host.
 * @param project Key of the project; null for the bank of a host.
 * @param agent Name of the agent; null if the bank is not specific to an agent.
 * @param agentId Id of the agent if a project or a host defines it, otherwise null. The bank ends with this agent; a
 *     later agent of the same name has another bank.
 * @param user Id of the person; null if the bank does not belong to a person.
 * @param branch Name of the branch, which has the same owner as its bank; null if the bank is not a branch.
 * @param generation Model whose vectors are searched; null before the first vector.
 * @param otherGeneration Model whose vectors are kept in addition or being computed; null for none.
 * @param otherUnits Number of units with a vector of otherGeneration.
 * @param active False if everything in the bank was forgotten.
 * @param seq Number of the bank's last event that the tables show. Recall reports its own as known.
 * @param updatedAt Time of the event with the number seq.
 */
@Serdeable
@Schema(name = "Bank")
record BankJson(
        UUID id,
        String scope,
        @Nullable String project,
        @Nullable String agent,
        @Nullable UUID agentId,
        @Nullable String user,
        @Nullable String branch,
        ProfileJson profile,
        @Nullable String generation,
        @Nullable String otherGeneration,
        long otherUnits,
        boolean active,
        long seq,
        Instant updatedAt,

        @Schema(description = "Counts of the content; null in lists, and if counting takes too long.") @Nullable
        CountsJson counts) {
    static BankJson of(Bank bank, @Nullable CountsJson counts) {
        return new BankJson(
                bank.id(),
                bank.ref().scope().code(),
                bank.ref().project(),
                bank.ref().agent(),
                bank.ref().agentId(),
                bank.ref().user(),
                bank.ref().branch(),
                ProfileJson.of(bank.profile()),
                bank.generation(),
                bank.otherGeneration(),
                bank.otherUnits(),
                bank.active(),
                bank.seq(),
                bank.updatedAt(),
                counts);
    }

    /**
     * How a bank reflects, and for whom it speaks.
     *
     * @param name Name of the bank, 1 to 126 characters. Defaults to the scope.
     * @param skepticism Skepticism from 1 (trusting) to 5 (doubting). Defaults to 3.
     * @param literalism Literalism from 1 (reads between the lines) to 5 (takes words literally). Defaults to 3.
     * @param empathy Empathy from 1 (facts) to 5 (feelings). Defaults to 3.
     * @param background Description of whom the bank speaks for, written for a model; at most 10,000 characters.
     * @param model Model used for reflection and consolidation, as provider/model; null uses rules.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "BankProfile")
    record ProfileJson(
            @Nullable String name,
            @Nullable Integer skepticism,
            @Nullable Integer literalism,
            @Nullable Integer empathy,
            @Nullable String background,
            @Nullable String model) {
        static ProfileJson of(BankProfile profile) {
            return new ProfileJson(
                    profile.name(),
                    profile.skepticism(),
                    profile.literalism(),
                    profile.empathy(),
                    profile.background(),
                    profile.model());
        }

        /** @throws IllegalArgumentException for a trait outside 1 to 5, or a text that is too long */
        BankProfile profile(BankProfile defaults) {
            return new BankProfile(
                    ReadableText.require("name", Objects.requireNonNullElse(name, defaults.name())),
                    Objects.requireNonNullElse(skepticism, defaults.skepticism()),
                    Objects.requireNonNullElse(literalism, defaults.literalism()),
                    Objects.requireNonNullElse(empathy, defaults.empathy()),
                    background,
                    model);
        }
    }

    /**
     * Counts of the content of a bank.
     *
     * @param waiting Number of document chunks that are not read yet; their text can be found by its words.
     * @param units Number of units that are held to be true, by type.
     * @param retired Number of units that are no longer held to be true.
     */
    @Serdeable
    @Schema(name = "BankCounts", description = "Counts of the content of a bank.")
    record CountsJson(long documents, long waiting, Map<String, Long> units, long retired, long entities, long links) {
        private static final String UNITS = "unit ";

        static CountsJson of(List<Count> rows) {
            var counts = new HashMap<String, Long>();
            var units = new TreeMap<String, Long>();
            for (Count row : rows) {
                if (row.what().startsWith(UNITS)) {
                    units.put(row.what().substring(UNITS.length()), row.n());
                } else {
                    counts.put(row.what(), row.n());
                }
            }
            return new CountsJson(
                    counts.getOrDefault("documents", 0L),
                    counts.getOrDefault("waiting", 0L),
                    units,
                    counts.getOrDefault("retired", 0L),
                    counts.getOrDefault("entities", 0L),
                    counts.getOrDefault("links", 0L));
        }
    }

    /**
     * The bank to open.
     *
     * @param scope Owner of the bank: user (the caller), user_agent (the caller with an agent), agent or host.
     * @param project Key of the project. Defaults to the default project. Not allowed for the bank of the host.
     * @param agent Name of the agent; only for the scopes agent and user_agent.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "OpenBank")
    record OpenJson(
            @Nullable String scope,
            @Nullable String project,
            @Nullable String agent) {}
}
