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

@Serdeable
@Schema(name = "Bank", description = "A memory bank.")
record BankJson(
        UUID id,

        @Schema(description = "Owner of the bank: user, user_agent, agent or host.")
        String scope,

        @Schema(description = "Key of the project; null for the bank of a host.") @Nullable
        String project,

        @Schema(description = "Name of the agent; null if the bank is not specific to an agent.") @Nullable
        String agent,

        @Schema(
                description = "Id of the agent if a project or a host defines it, otherwise null. The bank ends "
                        + "with this agent; a later agent of the same name has another bank.")
        @Nullable
        UUID agentId,

        @Schema(description = "Id of the person; null if the bank does not belong to a person.") @Nullable
        String user,

        @Schema(
                description =
                        "Name of the branch, which has the same owner as its bank; null if the bank is not a branch.")
        @Nullable
        String branch,

        ProfileJson profile,

        @Schema(description = "Model whose vectors are searched; null before the first vector.") @Nullable
        String generation,

        @Schema(description = "Model whose vectors are kept in addition or being computed; null for none.") @Nullable
        String otherGeneration,

        @Schema(description = "Number of units with a vector of otherGeneration.")
        long otherUnits,

        @Schema(description = "False if everything in the bank was forgotten.")
        boolean active,

        @Schema(description = "Number of the bank's last event that the tables show. Recall reports its own as known.")
        long seq,

        @Schema(description = "Time of the event with the number seq.")
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

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "BankProfile", description = "How a bank reflects, and for whom it speaks.")
    record ProfileJson(
            @Schema(description = "Name of the bank, 1 to 126 characters. Defaults to the scope.") @Nullable
            String name,

            @Schema(description = "Skepticism from 1 (trusting) to 5 (doubting). Defaults to 3.") @Nullable
            Integer skepticism,

            @Schema(
                    description =
                            "Literalism from 1 (reads between the lines) to 5 (takes words literally). Defaults to 3.")
            @Nullable
            Integer literalism,

            @Schema(description = "Empathy from 1 (facts) to 5 (feelings). Defaults to 3.") @Nullable
            Integer empathy,

            @Schema(
                    description =
                            "Description of whom the bank speaks for, written for a model; at most 10,000 characters.")
            @Nullable
            String background,

            @Schema(description = "Model used for reflection and consolidation, as provider/model; null uses rules.")
            @Nullable
            String model) {
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

    /** Counts of the content of a bank. */
    @Serdeable
    @Schema(name = "BankCounts", description = "Counts of the content of a bank.")
    record CountsJson(
            long documents,

            @Schema(
                    description =
                            "Number of document chunks that are not read yet; their text can be found by its words.")
            long waiting,

            @Schema(description = "Number of units that are held to be true, by type.")
            Map<String, Long> units,

            @Schema(description = "Number of units that are no longer held to be true.")
            long retired,

            long entities,
            long links) {
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

    /** A bank to open. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "OpenBank", description = "The bank to open.")
    record OpenJson(
            @Schema(
                    description = "Owner of the bank: user (the caller), user_agent (the caller with an agent), agent "
                            + "or host.")
            @Nullable
            String scope,

            @Schema(
                    description = "Key of the project. Defaults to the default project. Not allowed for the bank of "
                            + "the host.")
            @Nullable
            String project,

            @Schema(description = "Name of the agent; only for the scopes agent and user_agent.") @Nullable
            String agent) {}
}
