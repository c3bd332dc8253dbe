package dev.parley.control.http;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import java.util.UUID;

/** Generates time-ordered ids (UUID version 7). */
public final class NewIds {
    private static final NoArgGenerator GENERATOR = Generators.timeBasedEpochGenerator();

    private NewIds() {}

    public static UUID next() {
        return GENERATOR.generate();
    }
}
