package dev.parley.sessions.projection;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the views while a batch is folded into them: loaded, changed in place, written back whole. The fields are
 * the columns of the tables; {@link Tables} names each pair once.
 */
@SuppressWarnings("NullAway.Init") // a row is filled by its event, or from its table
abstract sealed class Row {
    UUID hostId;
    UUID projectId;
    UUID sessionId;

    /** Number of the event that touched the row last. */
    long version;

    Instant updateTs;
    String updateUser = PARLEY;

    /** Who changes rows where an event names nobody. */
    static final String PARLEY = "parley";

    /** Tokens and money, as several tables count them. */
    static final class Tokens {
        long input;
        long output;
        long reasoning;
        long cacheRead;
        long cacheWrite;
    }

    static final class Session extends Row {
        String key;
        long epoch;
        /** Given by {@link Slugs} when the row is first written. */
        @Nullable
        String slug;

        /** What its slug is made of; not a column, for only a new session needs it. */
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

        String agent;

        @Nullable
        UUID bankId;

        String title;
        boolean titleGiven;
        String status;

        /** JSON, in the form in which clients give them. */
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

        /** JSON: what guardrails did, in order; null where they did nothing. */
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

    /** A file that an event of the session named, whether or not its message is still there. */
    static final class SessionFile extends Row {
        String sha256;
    }

    /** Not a table's row: a session whose compact history is to be made anew. */
    static final class History extends Row {
        @Nullable
        UUID bankId;
    }
}
