package dev.parley.sessions.projection;

import dev.parley.domain.protocol.Usage;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the views while a batch is folded: loaded, changed in place, written back as a whole. The fields are the
 * columns; {@link Tables} maps each pair once.
 */
@SuppressWarnings("NullAway.Init") // a row is filled by its event, or from its table
abstract sealed class Row {
    UUID hostId;
    UUID projectId;
    UUID sessionId;

    /** Sequence number of the event that last changed the row. */
    long version;

    Instant updateTs;
    String updateUser = PARLEY;

    /** Author of changes whose event names no user. */
    static final String PARLEY = "parley";

    /** Token counts, as several tables have them. */
    static final class Tokens {
        long input;
        long output;
        long reasoning;
        long cacheRead;
        long cacheWrite;

        void add(Usage usage) {
            input += usage.input();
            output += usage.output();
            reasoning += usage.reasoning();
            cacheRead += usage.cacheRead();
            cacheWrite += usage.cacheWrite();
        }
    }

    static final class Session extends Row {
        String key;
        long epoch;
        /** Set by {@link Slugs} when the row is first written. */
        @Nullable
        String slug;

        /** The text its slug is derived from; not a column, as only a new session needs it. */
        String slugFrom = "";

        @Nullable
        UUID parentSessionId;

        @Nullable
        UUID forkedFromTurn;

        int depth;
        String channel;

        @Nullable
        String channelId;

        @Nullable
        String userId;

        /** Kind and name. */
        String owner;

        String agent;

        @Nullable
        UUID bankId;

        String title;
        boolean titleGiven;
        String status;

        /** JSON in the form of the API. */
        @Nullable
        String settings;

        @Nullable
        String permissions;

        @Nullable
        String providerId;

        @Nullable
        String modelId;

        @Nullable
        String summary;

        @Nullable
        Long summaryUpTo;

        long nextTurnSeq = 1;

        @Nullable
        UUID activeTurnId;

        int messageCount;
        BigDecimal totalCost = BigDecimal.ZERO;
        int unpricedCount;
        final Tokens tokens = new Tokens();
        Instant createdTs;

        @Nullable
        Instant archivedTs;
    }

    static final class Turn extends Row {
        UUID turnId;
        long seq;
        String origin;
        String originRef;
        String mode;
        String agent;

        @Nullable
        String agentVersion;

        @Nullable
        String userId;

        String userMessage;

        @Nullable
        String reply;

        String state;

        @Nullable
        String finishReason;

        @Nullable
        String errorType;

        @Nullable
        String errorMessage;

        @Nullable
        String errorDetail;

        @Nullable
        String providerId;

        @Nullable
        String modelId;

        /** JSON array of guardrail results, in order; null where there are none. */
        @Nullable
        String guardrails;

        int messageCount;
        int openTools;
        int openApprovals;
        int openChildren;
        final Tokens tokens = new Tokens();

        @Nullable
        BigDecimal cost = BigDecimal.ZERO;

        @Nullable
        Long startPosition;

        Instant createdTs;

        @Nullable
        Instant startedTs;

        @Nullable
        Instant completedTs;
    }

    static final class Message extends Row {
        UUID messageId;

        @Nullable
        UUID turnId;

        int seq;
        long position;
        String role;

        @Nullable
        UUID parentId;

        @Nullable
        String agent;

        @Nullable
        String providerId;

        @Nullable
        String modelId;

        boolean interrupted;

        @Nullable
        String finishReason;

        @Nullable
        String errorType;

        @Nullable
        String errorMessage;

        boolean answered = true;
        int partCount;
        int openTools;
        final Tokens tokens = new Tokens();

        @Nullable
        BigDecimal cost;

        boolean costKnown = true;
        Instant createdTs;

        @Nullable
        Instant completedTs;
    }

    static final class Part extends Row {
        UUID partId;
        UUID messageId;
        int idx;
        String kind;

        @Nullable
        String itemType;

        String content;

        @Nullable
        String raw;

        @Nullable
        String rawProvider;

        @Nullable
        String toolName;

        @Nullable
        String toolCallId;

        @Nullable
        String toolStatus;

        @Nullable
        String executedBy;

        @Nullable
        String searchText;

        Instant createdTs;
    }

    static final class ModelCall extends Row {
        UUID callId;
        int attempt;

        @Nullable
        UUID turnId;

        String purpose;
        int step;

        @Nullable
        String providerId;

        @Nullable
        String modelId;

        @Nullable
        String responseRaw;

        byte @Nullable [] responseSha256;
        String finishReason;

        @Nullable
        String errorType;

        @Nullable
        String errorDetail;

        @Nullable
        Long tokensInput;

        @Nullable
        Long tokensOutput;

        @Nullable
        Long tokensReasoning;

        @Nullable
        Long tokensCacheRead;

        @Nullable
        Long tokensCacheWrite;

        @Nullable
        BigDecimal cost;

        @Nullable
        String payer;

        @Nullable
        UUID credentialId;

        Instant completedTs;
    }

    static final class ToolCall extends Row {
        UUID callId;
        UUID turnId;
        UUID partId;
        int step;
        int idx;
        int attempt;
        String toolName;

        @Nullable
        String childKey;

        String status;
        boolean unknown;

        @Nullable
        String subject;

        @Nullable
        String permission;

        @Nullable
        UUID ruleId;

        @Nullable
        UUID approvalId;

        @Nullable
        String approval;

        @Nullable
        String approvalReason;

        @Nullable
        Instant approvalUntil;

        @Nullable
        String approvalUser;

        Instant createdTs;

        @Nullable
        Instant completedTs;
    }

    static final class SessionEvent extends Row {
        String kind;

        @Nullable
        String label;

        @Nullable
        Long turnSeq;

        @Nullable
        Long since;

        Instant createdTs;
    }

    static final class Todo extends Row {
        int position;
        String content;
        String activeForm;
        String status;
    }

    /** A person's opinion of a turn. */
    static final class Feedback extends Row {
        UUID turnId;
        String userId;
        /** Empty for none. */
        String emoji;

        String opinion;

        @Nullable
        String reason;

        Instant givenTs;
    }

    /** A conversation that a person answers, or is asked to answer. */
    static final class Handoff extends Row {
        UUID handoffId;
        String status;

        @Nullable
        String askedBy;

        /** Empty for none. */
        String reason;

        @Nullable
        String operatorId;

        /** Empty for none. */
        String operatorName;

        Instant askedTs;

        @Nullable
        Instant takenTs;

        @Nullable
        Instant endedTs;
    }

    /** A file that an event of the session named, whether or not its message still exists. */
    static final class SessionFile extends Row {
        String sha256;
    }

    /** Not a row of a table: a session whose compact history must be rebuilt. */
    static final class History extends Row {
        @Nullable
        UUID bankId;
    }
}
