package dev.parley.agents.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Usage;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelAnswerTest {
    @Test
    void halfOfASurrogatePairIsReplaced() {
        var answer = new ModelAnswer(
                List.of(Block.text("a \ud83d half, a \ud83d\ude00 whole \ude00")),
                FinishReason.STOP,
                Usage.NONE,
                "scripted-1",
                null);

        assertEquals(List.of(Block.text("a \uFFFD half, a \ud83d\ude00 whole \uFFFD")), answer.blocks());
    }

    @Test
    void joinsASurrogatePairOfTwoDeltas() {
        var recorder = new StreamRecorder(null);

        recorder.text("a \ud83d");
        recorder.text("\ude00");

        assertEquals(List.of(Block.text("a \ud83d\ude00")), recorder.partial());
    }
}
