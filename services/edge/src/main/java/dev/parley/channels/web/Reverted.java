package dev.parley.channels.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Outcome;
import dev.parley.platform.json.JsonMappers;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a revert or unrevert, including the files.
 *
 * @param key Key of the session.
 * @param project Key of the project.
 * @param restored Paths of the restored files; null while unknown.
 * @param left Files that were not changed.
 * @param more Number of files that are not listed.
 * @param problem Reason why no file was restored; null otherwise.
 */
@Serdeable
@Schema(name = "Reverted")
record Reverted(
        String key,
        String project,
        @Nullable List<String> restored,
        List<Left> left,
        int more,
        @Nullable String problem) {
    private static final ObjectMapper JSON = JsonMappers.stored();

    /**
     * A file that was not changed.
     *
     * @param why Reason why the file was not changed.
     */
    @Serdeable
    @Schema(name = "FileLeft")
    record Left(String path, String why) {}

    /** The files are being restored. */
    static Reverted pending(RecordKey session) {
        return new Reverted(session.session(), session.project(), null, List.of(), 0, null);
    }

    static Reverted of(RecordKey session, Outcome.Reverted outcome) {
        if (!outcome.isDone()) {
            String problem = outcome.files().replaceFirst("^error: ", "");
            return new Reverted(session.session(), session.project(), List.of(), List.of(), 0, problem);
        }
        JsonNode files = parse(outcome.files());
        var restored = new ArrayList<String>();
        files.path("restored").forEach(path -> restored.add(path.asText()));
        var left = new ArrayList<Left>();
        files.path("left")
                .forEach(file -> left.add(
                        new Left(file.path("path").asText(), file.path("why").asText())));
        return new Reverted(
                session.session(),
                session.project(),
                restored,
                left,
                files.path("more").asInt(0),
                null);
    }

    private static JsonNode parse(String files) {
        try {
            return JSON.readTree(files);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
