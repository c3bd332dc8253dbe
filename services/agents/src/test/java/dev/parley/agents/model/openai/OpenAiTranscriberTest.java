package dev.parley.agents.model.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.agents.model.Agents;
import dev.parley.agents.model.CallOwner;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.Transcriber.Transcription;
import dev.parley.agents.model.wire.ProviderKeys;
import dev.parley.domain.content.Block;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.platform.config.ProviderConfig;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.platform.worker.Cancellation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenAiTranscriberTest {
    @TempDir
    private Path folder;

    private HttpDouble server;
    private OpenAiTranscriber transcriber;
    private Path bytes;

    @BeforeEach
    void start() throws IOException {
        server = new HttpDouble();
        bytes = Files.writeString(folder.resolve("blob"), "OggS...");
        var config = new ProviderConfig(
                "openai",
                "openai",
                server.url(),
                "env:KEY",
                Map.of(),
                null,
                ProviderConfig.Timeouts.DEFAULT,
                null,
                Map.of());
        transcriber = new OpenAiTranscriber(
                config, new ProviderKeys(new Secrets(Map.of("KEY", "sk-secret-123456"), Set.of("env:KEY"))));
    }

    @AfterEach
    void stop() {
        transcriber.close();
        server.close();
    }

    private Transcription transcription(String name, String type, long size) throws Exception {
        var agent = Agents.of("openai", "whisper-1", null, null, ThinkingLevel.NONE, Map.of());
        var recording = new Block.File(name, type, size, "ab", null, null);
        return transcriber.transcribe(
                agent, new CallOwner(UUID.randomUUID(), null), recording, bytes, new Cancellation());
    }

    private ModelFailure failure() {
        return assertThrows(ModelFailure.class, () -> transcription("a.ogg", "audio/ogg", 7));
    }

    @Test
    @Tag("P51")
    void aRecordingIsSentAsAFormAndItsTextComesBack() throws Exception {
        // Given
        String answer =
                "{\"text\":\"Hello, wörld.\",\"usage\":{\"type\":\"tokens\",\"input_tokens\":14,\"output_tokens\":5}}";
        server.answers(HttpDouble.json(200, answer));

        // When
        Transcription transcription = transcription("voice.oga", "audio/ogg; codecs=opus", 7);

        // Then
        var request = server.seen().getFirst();
        assertEquals("/audio/transcriptions", request.path());
        assertEquals("Bearer sk-secret-123456", request.header("Authorization"));
        assertTrue(
                request.header("Content-Type").startsWith("multipart/form-data; boundary="),
                request.header("Content-Type"));
        assertTrue(request.body().contains("name=\"model\"\r\n"), request.body());
        assertTrue(request.body().contains("\r\n\r\nwhisper-1\r\n"), request.body());
        assertTrue(request.body().contains("name=\"file\"; filename=\"recording.ogg\"\r\n"), request.body());
        assertTrue(request.body().contains("\r\n\r\nOggS...\r\n"), request.body());
        assertEquals("Hello, wörld.", transcription.text());
        assertEquals(14, transcription.usage().input());
        assertEquals(5, transcription.usage().output());
        assertEquals(answer, transcription.raw());
    }

    @Test
    void usageByDurationHasNoTokens() throws Exception {
        server.answers(HttpDouble.json(200, "{\"text\":\"\",\"usage\":{\"type\":\"duration\",\"seconds\":1}}"));

        Transcription transcription = transcription("a.wav", "audio/x-wav", 7);

        assertEquals("", transcription.text());
        assertEquals(0, transcription.usage().tokens());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            401 | {"error":{"message":"no such key sk-secret-123456"}} | AUTH
            429 | {"error":{"message":"slow down"}}                    | RATE_LIMIT
            400 | {"error":{"message":"Invalid file format."}}         | INVALID_REQUEST
            503 | busy                                                 | OVERLOADED
            200 | {"error":{"message":"oops","type":"server_error"}}   | SERVER
            200 | {"words":[]}                                         | SERVER
            200 | {"text":                                             | SERVER
            """)
    void mapsErrorResponsesToCategories(int status, String body, ErrorCategory category) {
        server.answers(HttpDouble.json(status, body));

        ModelFailure failure = failure();

        assertEquals(category, failure.category(), failure.detail());
        assertFalse(failure.detail().contains("sk-secret"), failure.detail());
    }

    @Test
    void readsTheRetryAfterHeader() {
        server.answers(HttpDouble.json(429, "{}", "retry-after", "7"));

        assertEquals(Duration.ofSeconds(7), failure().retryAfter());
    }

    @Test
    void doesNotSendAnOversizedRecording() {
        var failure = assertThrows(ModelFailure.class, () -> transcription("a.ogg", "audio/ogg", 26_000_000));

        assertEquals(ErrorCategory.INVALID_REQUEST, failure.category());
        assertTrue(server.seen().isEmpty());
    }
}
