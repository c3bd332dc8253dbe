package dev.parley.memory.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.domain.memory.BankProfile;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@Schema(name = "Bank", description = "A bank of memory.")
record BankJson(
        UUID id,

        @Schema(description = "Whose it is: user, user_agent, agent or host.")
        String scope,

        @Schema(description = "Its project's key; null for the bank of a host.") @Nullable
        String project,

        @Schema(description = "The agent's name; null where it is for all agents.") @Nullable
        String agent,

        @Schema(
                description =
                        "The agent's id, where it is a project's or a host's: the bank ends with it, and one of its name has another.")
        @Nullable
        UUID agentId,

        @Schema(description = "The person's id; null where it is everybody's.") @Nullable
        String user,

        @Schema(description = "Its name as a branch of the bank that is otherwise the same; null where it is none.")
        @Nullable
        String branch,

        ProfileJson profile,

        @Schema(description = "Model whose vectors it is searched by; null before the first.") @Nullable
        String generation,

        @Schema(description = "Model whose vectors are kept beside those, or being made; null for none.") @Nullable
        String otherGeneration,

        @Schema(description = "How many units have one of the latter.")
        long otherUnits,

        @Schema(description = "false: all that was in it is forgotten.")
        boolean active,

        @Schema(description = "Number of the last of its events that the tables show. Recall says which one it knows.")
        long seq,

        @Schema(description = "When that was.") Instant updatedAt,

        @Schema(description = "What is in it; null in lists, and where counting takes too long.") @Nullable
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
                bank.vectors().generation(),
                bank.vectors().other(),
                bank.vectors().otherUnits(),
                bank.active(),
                bank.seq(),
                bank.updatedAt(),
                counts);
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "BankProfile", description = "What a bank is like: how it reflects, and for whom it speaks.")
    record ProfileJson(
            @Schema(description = "1 to 126 characters; the scope where it is missing.") @Nullable
            String name,

            @Schema(description = "From trusting, 1, to doubting, 5; 3 where it is missing.") @Nullable
            Integer skepticism,

            @Schema(
                    description =
                            "From reading between the lines, 1, to taking words as they are, 5; 3 where it is missing.")
            @Nullable
            Integer literalism,

            @Schema(description = "From facts, 1, to feelings, 5; 3 where it is missing.") @Nullable
            Integer empathy,

            @Schema(description = "For whom it speaks, in words for a model; at most 10,000 characters.") @Nullable
            String background,

            @Schema(description = "Which it reflects and consolidates with, provider/model; null for rules.") @Nullable
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
        BankProfile profile(BankProfile without) {
            return new BankProfile(
                    Objects.requireNonNullElse(name, without.name()),
                    Objects.requireNonNullElse(skepticism, without.skepticism()),
                    Objects.requireNonNullElse(literalism, without.literalism()),
                    Objects.requireNonNullElse(empathy, without.empathy()),
                    background,
                    model);
        }
    }

    /** What is in a bank. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "BankCounts", description = "How much is in a bank.")
    record CountsJson(
            long documents,

            @Schema(description = "Chunks of documents that nobody has read yet: what they say is found by its words.")
            long waiting,

            @Schema(description = "Units that it holds to be true, by their type.")
            Map<String, Long> units,

            @Schema(description = "Units that it held to be true.")
            long retired,

            long entities,
            long links) {}

    /** A bank to open. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "OpenBank", description = "Which bank.")
    record OpenJson(
            @Schema(
                    description =
                            "user: the caller's own; user_agent: the caller's with an agent; agent: an agent's; host.")
            @Nullable
            String scope,

            @Schema(
                    description =
                            "The project's key; the default project where it is missing. None for the host's bank.")
            @Nullable
            String project,

            @Schema(description = "The agent's name, for agent and user_agent.") @Nullable
            String agent) {}
}
