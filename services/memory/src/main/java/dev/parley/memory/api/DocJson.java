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
@Schema(name = "MemoryDocument", description = "What was given to a bank to remember: a turn, or any text.")
record DocJson(
        UUID id,

        @Schema(description = "The session in which it was said, {project}/{key}; null where it was not.") @Nullable
        String session,

        @Schema(description = "The turn that it is, or null.") @Nullable
        UUID turn,

        @Schema(description = "What it is about, for whoever reads it.") @Nullable
        String context,

        List<String> tags,

        @Schema(description = "When it was said.") @Nullable Instant mentionedAt,

        @Schema(description = "When it is forgotten; null for never.") @Nullable
        Instant forgetAt,

        @Schema(description = "SHA-256 of all that it says.")
        String contentHash,

        @Schema(description = "How many of its chunks nobody has read yet.")
        int waiting,

        @Schema(description = "Number of the event by which it came to be as it is.")
        long seq,

        Instant updatedAt,

        @Schema(description = "All that it says; null in lists.") @Nullable
        String text,

        @Schema(description = "Who says which part of the text; null in lists.") @Nullable
        List<PartJson> sayings,

        @Schema(description = "In what pieces it is read; null in lists.") @Nullable
        List<ChunkJson> chunks,

        @Schema(description = "What was found in it and is held to be true, 200 at most; null in lists.") @Nullable
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
                .forEach(said -> sayings.add(new PartJson(
                        said.path("role").asText(),
                        JsonColumns.text(said, "speaker"),
                        said.path("from").asInt(),
                        said.path("to").asInt())));
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
    @Schema(name = "MemorySaying", description = "Who says which part of a document's text.")
    record PartJson(
            @Schema(description = "user, assistant or tool.")
            String role,

            @Nullable String speaker,

            @Schema(description = "Index of its first character in the text, counted in UTF-16.")
            int from,

            @Schema(description = "Index behind its last character.")
            int to) {}

    @Serdeable
    @Schema(name = "MemoryChunk", description = "A piece of a document that is read at once.")
    record ChunkJson(
            @Schema(description = "SHA-256 of its text; units name it.")
            String hash,

            @Schema(description = "Index of its first character in the text, counted in UTF-16.")
            int from,

            @Schema(description = "Index behind its last character.")
            int to,

            @Schema(description = "Whether nobody has read it yet.")
            boolean waiting) {}

    /** What is to be remembered. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "Retain", description = "A document, or several instead of it.")
    record RetainJson(
            @Schema(description = "What it says; at most 1,048,576 characters.") @Nullable
            String text,

            @Schema(description = "What it says, by who says it; instead of a text, at most 1,000.") @Nullable
            List<SaidJson> sayings,

            @Schema(
                    description =
                            "A document's id, or a name of yours of at most 200 characters: one with the same takes the place of the earlier one. "
                                    + "Without it, what says the same is the same document.")
            @Nullable
            String id,

            @Schema(description = "What it is about, for whoever reads it; at most 2,000 characters.") @Nullable
            String context,

            @Schema(description = "At most 50, of at most 200 characters.") @Nullable
            List<String> tags,

            @Schema(description = "When it was said; now where it is missing.") @Nullable
            Instant mentionedAt,

            @Schema(
                    description =
                            "When it is forgotten again, with all that was made of it, within an hour; never where it is missing.")
            @Nullable
            Instant forgetAt,

            @Schema(description = "Several documents, at most 100; then there is no other field.") @Nullable
            List<GivenJson> documents) {
        /** The document itself, where there are not several. */
        GivenJson one() {
            return new GivenJson(text, sayings, id, context, tags, mentionedAt, forgetAt);
        }
    }

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "RetainDocument", description = "One of several documents; the fields mean the same.")
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
    @Schema(name = "RetainSaying", description = "What one side says.")
    record SaidJson(
            @Schema(description = "user, which it is where it is missing, assistant or tool.") @Nullable
            String role,

            @Schema(description = "Their name, at most 200 characters.") @Nullable
            String speaker,

            @Nullable String text) {}

    /** How far it is. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(
            name = "MemoryOperation",
            description = "What became of a document that was given to a bank; kept for a week.")
    record OperationJson(
            UUID id,
            @Schema(description = "The document's id.") UUID document,

            @Schema(
                    description =
                            "pending: it is found by its words, or not even taken in yet; done: all of it is read; refused.")
            String state,

            @Schema(description = "How many of its chunks nobody has read yet; null while that is not known.") @Nullable
            Integer waiting,

            @Schema(description = "Why it was refused, for programs.") @Nullable
            String code,

            @Schema(description = "Why it was refused, for people.") @Nullable
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
            String kept = row.getString("state");
            String waiting = row.getString("waiting");
            boolean taken = current || id.toString().equals(row.getString("command"));
            // A document that was taken in and is not there will be: the operations of one that was erased go with it.
            Integer left = !taken || waiting == null ? null : Integer.valueOf(waiting);
            String state = kept.equals("refused") ? "refused" : left != null && left == 0 ? "done" : "pending";
            return new OperationJson(
                    id, Columns.uuid(row, "doc_id"), state, left, row.getString("code"), row.getString("message"));
        }

        boolean isPending() {
            return state.equals("pending");
        }
    }

    /** How far they are. */
    @Serdeable
    @Schema(name = "MemoryOperations", description = "What became of documents that were given, in their order.")
    record OperationsJson(List<OperationJson> operations) {}
}
