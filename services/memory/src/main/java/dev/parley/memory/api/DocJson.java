package dev.parley.memory.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.memory.JsonColumns;
import dev.parley.platform.database.Columns;
import io.micronaut.serde.annotation.Serdeable;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.swagger.v3.oas.annotations.media.Schema;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A document as the API returns it. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@RecordBuilder
@Schema(name = "MemoryDocument", description = "A document that a bank remembers: a turn, or any text.")
record DocJson(
        UUID id,

        @Schema(description = "Session in which it was said, as {project}/{key}; null if it is not from a session.")
        @Nullable
        String session,

        @Schema(description = "Id of the turn; null if the document is not a turn.") @Nullable
        UUID turn,

        @Schema(description = "Context of the document, for its readers.") @Nullable
        String context,

        List<String> tags,

        @Schema(description = "Time at which it was said.") @Nullable
        Instant mentionedAt,

        @Schema(description = "Time at which it will be forgotten; null for never.") @Nullable
        Instant forgetAt,

        @Schema(description = "SHA-256 of the whole content.")
        String contentHash,

        @Schema(description = "Number of chunks that are not read yet.")
        int waiting,

        @Schema(description = "Number of the event that last changed it.")
        long seq,

        Instant updatedAt,

        @Schema(description = "The whole text; null in lists.") @Nullable
        String text,

        @Schema(description = "Speakers of the parts of the text; null in lists.") @Nullable
        List<PartJson> sayings,

        @Schema(description = "Chunks in which the text is read; null in lists.") @Nullable
        List<ChunkJson> chunks,

        @Schema(description = "Units found in the document that are held to be true, at most 200; null in lists.")
        @Nullable
        List<UnitJson> units)
        implements DocJsonBuilder.With {
    static final String COLUMNS = "d.doc_id, d.content_hash, d.metadata, d.waiting, d.aggregate_version, d.update_ts";

    /** The document as in lists. */
    static DocJson of(ResultSet row) throws SQLException {
        JsonNode metadata = JsonColumns.json(row, "metadata");
        return new DocJson(
                Columns.uuid(row, "doc_id"),
                JsonColumns.text(metadata, "session"),
                JsonColumns.id(metadata, "turn"),
                JsonColumns.text(metadata, "context"),
                JsonColumns.texts(metadata, "tags"),
                JsonColumns.time(metadata, "mentionedAt"),
                JsonColumns.time(metadata, "forgetAt"),
                row.getString("content_hash"),
                waiting(row).size(),
                row.getLong("aggregate_version"),
                Columns.time(row, "update_ts"),
                null,
                null,
                null,
                null);
    }

    /** The whole document, except the units found in it. */
    static DocJson whole(ResultSet row) throws SQLException {
        JsonNode metadata = JsonColumns.json(row, "metadata");
        var sayings = new ArrayList<PartJson>();
        metadata.path("sayings")
                .forEach(saying -> sayings.add(new PartJson(
                        saying.path("role").asText(),
                        JsonColumns.text(saying, "speaker"),
                        saying.path("from").asInt(),
                        saying.path("to").asInt())));
        Set<String> waiting = waiting(row);
        var chunks = new ArrayList<ChunkJson>();
        metadata.path("chunks").forEach(chunk -> {
            String hash = chunk.path("hash").asText();
            chunks.add(new ChunkJson(
                    hash, chunk.path("from").asInt(), chunk.path("to").asInt(), waiting.contains(hash)));
        });
        return of(row).with()
                .text(row.getString("original_text"))
                .sayings(List.copyOf(sayings))
                .chunks(List.copyOf(chunks))
                .build();
    }

    private static Set<String> waiting(ResultSet row) throws SQLException {
        return Set.copyOf(Arrays.asList((String[]) row.getArray("waiting").getArray()));
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "MemorySaying", description = "The speaker of a part of a document's text.")
    record PartJson(
            @Schema(description = "Role of the speaker: user, assistant or tool.")
            String role,

            @Nullable String speaker,

            @Schema(description = "Index of the part's first character in the text, in UTF-16 units.")
            int from,

            @Schema(description = "Index after the part's last character, in UTF-16 units.")
            int to) {}

    @Serdeable
    @Schema(name = "MemoryChunk", description = "A piece of a document that is read as a whole.")
    record ChunkJson(
            @Schema(description = "SHA-256 of the chunk's text; the provenance of units refers to it.")
            String hash,

            @Schema(description = "Index of the chunk's first character in the text, in UTF-16 units.")
            int from,

            @Schema(description = "Index after the chunk's last character, in UTF-16 units.")
            int to,

            @Schema(description = "True if the chunk is not read yet.")
            boolean waiting) {}

    /** A retain request: one document, or several. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "Retain", description = "A document, or a list of several.")
    record RetainJson(
            @Schema(description = "Text of the document; at most 1,048,576 characters.") @Nullable
            String text,

            @Schema(description = "Utterances with their speakers, instead of text; at most 1,000.") @Nullable
            List<SaidJson> sayings,

            @Schema(
                    description = "Id of a document, or a name of at most 200 characters chosen by the client. A "
                            + "document with the same id is replaced. Without an id, documents with the same "
                            + "content are the same document.")
            @Nullable
            String id,

            @Schema(description = "Context of the document, for its readers; at most 2,000 characters.") @Nullable
            String context,

            @Schema(description = "At most 50 tags of at most 200 characters.") @Nullable
            List<String> tags,

            @Schema(description = "Time at which it was said. Defaults to now.") @Nullable
            Instant mentionedAt,

            @Schema(
                    description = "Time at which the document and everything derived from it are forgotten, within an "
                            + "hour. Defaults to never.")
            @Nullable
            Instant forgetAt,

            @Schema(description = "Several documents, at most 100; cannot be combined with other fields.") @Nullable
            List<GivenJson> documents) {
        /** The single document, for a request without {@code documents}. */
        GivenJson one() {
            return new GivenJson(text, sayings, id, context, tags, mentionedAt, forgetAt);
        }
    }

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(
            name = "RetainDocument",
            description = "One of several documents; the fields have the same meaning as those of Retain.")
    record GivenJson(
            @Nullable String text,
            @Nullable List<SaidJson> sayings,
            @Nullable String id,
            @Nullable String context,
            @Nullable List<String> tags,
            @Nullable Instant mentionedAt,
            @Nullable Instant forgetAt) {
        static final GivenJson NONE = new GivenJson(null, null, null, null, null, null, null);
    }

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "RetainSaying", description = "An utterance of one speaker.")
    record SaidJson(
            @Schema(description = "Role of the speaker: user, assistant or tool. Defaults to user.") @Nullable
            String role,

            @Schema(description = "Name of the speaker; at most 200 characters.") @Nullable
            String speaker,

            @Nullable String text) {}

    /** Progress of a retained document. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(
            name = "MemoryOperation",
            description = "The progress of a document that was given to a bank; kept for a week.")
    record OperationJson(
            UUID id,
            @Schema(description = "Id of the document.") UUID document,

            @Schema(
                    description = "State: pending (not taken in yet, or found only by its words), done (read "
                            + "completely) or refused.")
            String state,

            @Schema(description = "Number of chunks that are not read yet; null if unknown.") @Nullable
            Integer waiting,

            @Schema(description = "Reason of the refusal, as a code for programs; null if not refused.") @Nullable
            String code,

            @Schema(description = "Reason of the refusal, as a text for people; null if not refused.") @Nullable
            String message) {
        static OperationJson of(ResultSet row) throws SQLException {
            return of(row, row.getString("state").equals("taken"));
        }

        /** For tables that may lag: a document with this id may still be an earlier one. */
        static OperationJson ofShown(ResultSet row) throws SQLException {
            return of(row, false);
        }

        private static OperationJson of(ResultSet row, boolean current) throws SQLException {
            UUID id = Columns.uuid(row, "operation_id");
            String stored = row.getString("state");
            String waiting = row.getString("waiting");
            boolean taken = current || id.toString().equals(row.getString("command"));
            // An accepted document appears later if it is missing: operations are deleted together with their document.
            Integer remaining = !taken || waiting == null ? null : Integer.valueOf(waiting);
            String state =
                    stored.equals("refused") ? "refused" : remaining != null && remaining == 0 ? "done" : "pending";
            return new OperationJson(
                    id, Columns.uuid(row, "doc_id"), state, remaining, row.getString("code"), row.getString("message"));
        }

        boolean isPending() {
            return state.equals("pending");
        }
    }

    /** Progress of several documents. */
    @Serdeable
    @Schema(name = "MemoryOperations", description = "The progress of the given documents, in the same order.")
    record OperationsJson(List<OperationJson> operations) {}
}
