package dev.parley.tools;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.domain.access.TimeZones;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.CallResult.ToolAnswered;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.worker.CallContext;
import dev.parley.platform.worker.Cancellation;
import dev.parley.tools.builtin.BuiltinTools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolExecutionTest {
    private static final int MOST = 2 << 20;

    @TempDir
    private Path folder;

    private BlobStore blobs() {
        return new BlobStore(folder, MOST);
    }

    private final CountingTool counting = new CountingTool("count", ToolEffect.IDEMPOTENT);

    private ToolAnswered run(String tool, String arguments, Tool... additional) throws Exception {
        var tools = new ArrayList<>(BuiltinTools.all(
                Clock.fixed(Instant.parse("2026-03-01T12:00:00Z"), ZoneOffset.UTC), TimeZones.UNKNOWN));
        tools.add(counting);
        tools.addAll(List.of(additional));
        var calls = new ToolCallExecutor(new ToolRegistry(tools, false), null, null, blobs());
        return (ToolAnswered) calls.begin(
                        ToolRequests.call(tool, arguments), new CallContext("default/web:1", null, new Cancellation()))
                .run();
    }

    private static Tool returning(ToolOutput output) {
        return new Tool() {
            @Override
            public ToolSpec spec() {
                return new ToolSpec("given", "", "{\"type\":\"object\"}", ToolEffect.IDEMPOTENT, Duration.ofMinutes(1));
            }

            @Override
            public ToolOutput run(ToolCallContext call, JsonNode arguments) {
                return output;
            }
        };
    }

    @Test
    void echoAndTimeAnswer() throws Exception {
        assertEquals("hi \"you\"", run("echo", "{\"text\":\"hi \\\"you\\\"\"}").content());
        assertEquals("2026-03-01T12:00:00Z", run("time", "{}").content());
        assertEquals(
                "2026-03-01T13:00:00+01:00[Europe/Vienna]",
                run("time", "{\"zone\":\"Europe/Vienna\"}").content());
        assertEquals(
                "error: there is no time zone 'Mars'",
                run("time", "{\"zone\":\"Mars\"}").content());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"n\":\"three\"}|n|integer",
                "{\"m\":1}|'m'|not",
                "[1]|not a JSON object|",
                "{\"n\":|not valid JSON|",
            })
    @Tag("I89")
    @Tag("K3")
    void rejectsInvalidArgumentsWithoutRunningTheTool(String arguments, String field, String detail) throws Exception {
        ToolAnswered answer = run("count", arguments);
        assertEquals(ToolStatus.ERROR, answer.status());
        assertTrue(answer.content().startsWith("error: "), answer.content());
        assertTrue(
                answer.content().contains(field) && answer.content().contains(detail == null ? "" : detail),
                answer.content());
        assertEquals(0, counting.runs.get());
    }

    @Test
    @Tag("P38")
    void reportsFailuresToTheModel() throws Exception {
        assertEquals("error: connection reset", run("count", "{\"fail\":true}").content());
        assertEquals(
                "error: there is no tool 'nothing' here", run("nothing", "{}").content());
        assertEquals(
                "error: no paper",
                run("given", "{}", returning(new ToolOutput.Failed("no paper"))).content());
    }

    @Test
    void sendsFilesToTheUserAndASummaryToTheModel() throws Exception {
        // Given
        var output = new ToolOutput.Files(
                "Two charts.",
                List.of(
                        new ToolOutput.Attachment("../a\0b.png", "image/png", new byte[] {1, 2}),
                        new ToolOutput.Attachment("b.bin", "no type", new byte[] {3})));

        // When
        ToolAnswered answer = run("given", "{}", returning(output));

        // Then
        assertEquals(ToolStatus.COMPLETED, answer.status());
        assertEquals("""
            Two charts.
            The file '.._ab.png' (image/png, 2 bytes) was sent.
            The file 'b.bin' (application/octet-stream, 1 bytes) was sent.\
            """, answer.content());
        var first = answer.files().getFirst();
        assertEquals(List.of(".._ab.png", "image/png", 2L), List.of(first.name(), first.mimeType(), first.size()));
        assertArrayEquals(
                new byte[] {1, 2},
                Files.readAllBytes(blobs().get(first.sha256()).orElseThrow()));
        assertEquals("application/octet-stream", answer.files().getLast().mimeType());
    }

    @Test
    void reportsATooLargeFileAndSendsTheOthers() throws Exception {
        // Given
        var large = new ToolOutput.Attachment("large.bin", "application/zip", new byte[MOST + 1]);
        var small = new ToolOutput.Attachment("small.txt", "text/plain", new byte[] {65});
        String refused = "The file 'large.bin' was not sent: a file has at most " + MOST + " bytes.";

        // When
        var answer = run("given", "{}", returning(new ToolOutput.Files("", List.of(large, small))));

        // Then
        assertEquals(refused + "\nThe file 'small.txt' (text/plain, 1 bytes) was sent.", answer.content());
        assertEquals(1, answer.files().size());

        // When
        var alone = run("given", "{}", returning(new ToolOutput.Files("", List.of(large))));

        // Then
        assertEquals(ToolStatus.ERROR, alone.status());
        assertEquals("error: " + refused, alone.content());
        assertEquals(List.of(), alone.files());
    }

    @Test
    void sendsAtMostTenFiles() throws Exception {
        var attachments = Collections.nCopies(12, new ToolOutput.Attachment("a.txt", "text/plain", new byte[] {65}));
        ToolAnswered answer = run("given", "{}", returning(new ToolOutput.Files("", attachments)));
        assertEquals(10, answer.files().size());
        assertTrue(answer.content().endsWith("The file 'a.txt' was not sent: there are at most 10 at once."));
    }

    @Test
    void doesNotSendAFileThatCannotBeStored() throws Exception {
        Files.writeString(folder.resolve("incoming"), "in the way");
        ToolAnswered answer = run("send_file", "{\"name\":\"a.txt\",\"content\":\"x\"}");
        assertEquals("error: The file 'a.txt' was not sent: it could not be stored.", answer.content());
    }

    @Test
    void sendsTextOfTheModelAsAFile() throws Exception {
        // When
        ToolAnswered answer = run("send_file", "{\"name\":\"table.csv\",\"content\":\"a,ü\"}");

        // Then
        assertEquals("The file 'table.csv' (text/csv, 4 bytes) was sent.", answer.content());
        var file = answer.files().getFirst();
        assertEquals("a,ü", Files.readString(blobs().get(file.sha256()).orElseThrow()));
        assertEquals(
                "text/x-java",
                run("send_file", "{\"name\":\"A.java\",\"content\":\"class A {}\",\"mime_type\":\"text/x-java\"}")
                        .files()
                        .getFirst()
                        .mimeType());
        assertEquals(
                "text/plain",
                run("send_file", "{\"name\":\"notes\",\"content\":\"x\"}")
                        .files()
                        .getFirst()
                        .mimeType());
        assertEquals(
                "error: the content has 1048578 bytes; it may have 1048576",
                run("send_file", "{\"name\":\"a.txt\",\"content\":\"" + "ü".repeat((1 << 19) + 1) + "\"}")
                        .content());
        assertEquals(
                "error: a file without content cannot be sent",
                run("send_file", "{\"name\":\"a.txt\",\"content\":\"\"}").content());
    }

    @Test
    void binaryTextIsAnError() throws Exception {
        assertEquals(
                ToolStatus.ERROR,
                run("given", "{}", returning(ToolOutput.of("PK\0\0"))).status());
    }

    @Test
    void offersOnlyIdempotentToolsWithoutALedger() {
        var tools = List.of(counting, new CountingTool("once", ToolEffect.AT_MOST_ONCE));
        assertEquals(
                List.of("count"),
                new ToolRegistry(tools, false)
                        .specs().stream().map(ToolSpec::name).toList());
        assertEquals(
                List.of("count", "once"),
                new ToolRegistry(tools, true)
                        .specs().stream().map(ToolSpec::name).toList());
    }

    @Test
    void rejectsDuplicateAndReservedNames() {
        assertThrows(IllegalArgumentException.class, () -> new ToolRegistry(List.of(counting, counting), false));
        assertThrows(
                IllegalArgumentException.class,
                () -> new ToolRegistry(List.of(new CountingTool("delegate", ToolEffect.IDEMPOTENT)), false));
    }
}
