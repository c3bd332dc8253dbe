package dev.parley.agents.model.scripted;

import dev.parley.agents.model.CallOwner;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.Transcriber;
import dev.parley.domain.content.Block;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.worker.Cancellation;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The built-in transcriber: it returns the content of a text file, and for other files a text with their size. */
public final class ScriptedTranscriber implements Transcriber {

    @Override
    public String name() {
        return ScriptedProvider.NAME;
    }

    @Override
    public Transcription transcribe(
            Agent agent, CallOwner owner, Block.File recording, Path bytes, Cancellation cancellation)
            throws ModelFailure {
        String text;
        try {
            text = Files.readString(bytes, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            text = "%d bytes of sound".formatted(recording.size());
        } catch (IOException e) {
            throw new ModelFailure(ErrorCategory.LOST, "the recording cannot be read: " + e, e);
        }
        return new Transcription(
                text, new Usage(recording.size(), ScriptedProvider.tokens(text.length()), 0, 0, 0, 0L), null);
    }
}
