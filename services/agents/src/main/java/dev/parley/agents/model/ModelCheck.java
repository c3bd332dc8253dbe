package dev.parley.agents.model;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.ModelRequestBuilder;
import dev.parley.platform.worker.Cancellation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Checks that an agent's model answers, with a minimal call. */
public final class ModelCheck {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private ModelCheck() {}

    /**
     * Makes one call, which costs a few tokens.
     *
     * @return the name of the model that answered
     * @throws ModelFailure when the model does not answer within 30 s
     */
    public static String call(ModelProviders providers, Agent agent) throws ModelFailure, InterruptedException {
        Instant deadline = Instant.now().plus(TIMEOUT);
        ModelRequest request = ModelRequestBuilder.builder()
                .callId(UUID.randomUUID())
                .host(UUID.randomUUID())
                .sessionId(UUID.randomUUID())
                .attempt(1)
                .purpose(ModelRequest.Purpose.REPLY)
                .agent(agent)
                .messages(List.of(Message.text(Role.USER, "Say ok.")))
                .tools(List.of())
                .toolDigests(List.of())
                .leaseUntil(deadline)
                .deadline(deadline)
                .build();
        return within(cancellation ->
                providers.call(request, ModelStream.NONE, cancellation).model());
    }

    /**
     * Transcribes half a second of silence with the agent's model.
     *
     * @throws ModelFailure when there is no transcript within 30 s
     */
    public static void listen(ModelProviders providers, Agent agent) throws ModelFailure, InterruptedException {
        Path file = null;
        try {
            file = Files.createTempFile("silence", ".wav");
            Path silence = Files.write(file, silence());
            var recording = new Block.File("silence.wav", "audio/wav", Files.size(silence), "", null, null);
            within(cancellation -> providers
                    .transcribe(agent, new CallOwner(UUID.randomUUID(), null), recording, silence, cancellation)
                    .text());
        } catch (IOException e) {
            throw new ModelFailure(ErrorCategory.LOST, "no temporary file: " + e, e);
        } finally {
            if (file != null) {
                file.toFile().delete();
            }
        }
    }

    /** Half a second of silence as WAV: 8 kHz, 8 bits, mono. */
    private static byte[] silence() {
        int samples = 4_000;
        var wav = ByteBuffer.allocate(44 + samples).order(ByteOrder.LITTLE_ENDIAN);
        wav.put(ascii("RIFF"))
                .putInt(36 + samples)
                .put(ascii("WAVEfmt "))
                .putInt(16)
                .putShort((short) 1);
        wav.putShort((short) 1).putInt(8_000).putInt(8_000).putShort((short) 1).putShort((short) 8);
        wav.put(ascii("data")).putInt(samples);
        Arrays.fill(wav.array(), 44, 44 + samples, (byte) 128);
        return wav.array();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private interface Attempt {
        String make(Cancellation cancellation) throws ModelFailure, InterruptedException;
    }

    private static String within(Attempt attempt) throws ModelFailure, InterruptedException {
        var cancellation = new Cancellation();
        Thread timer = Thread.ofVirtual().start(() -> {
            try {
                Thread.sleep(TIMEOUT);
                cancellation.cancel(Cancellation.Reason.DEADLINE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the call has ended
            }
        });
        try {
            return attempt.make(cancellation);
        } catch (InterruptedException e) {
            if (cancellation.requested()) {
                throw new ModelFailure(ErrorCategory.TIMEOUT, "no answer within " + TIMEOUT.toSeconds() + " s");
            }
            throw e;
        } finally {
            timer.interrupt();
        }
    }
}
