package dev.parley.server.audit;

import dev.parley.domain.proof.FactKind;
import dev.parley.domain.proof.Place;
import dev.parley.domain.proof.RecordFact;
import dev.parley.domain.proof.RecordFactBuilder;
import dev.parley.domain.proof.TopicVerifier;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Facts of an audit, partitioned by session over temporary files, so that only one file's sessions are in memory at a
 * time. A file holds ids, offsets and session keys, no message texts; its private folder is deleted with the command.
 */
final class FactFiles implements AutoCloseable {
    /** Facts in memory at a time: some 100 MB. */
    static final int IN_MEMORY = 200_000;

    private static final int MAX_FILES = 256;

    private final Path folder;
    private final List<DataOutputStream> files = new ArrayList<>();
    private final Thread cleaning = new Thread(this::delete);

    /** @param records the expected number of facts */
    FactFiles(long records, int inMemory) throws IOException {
        folder = Files.createTempDirectory("parley-audit");
        Runtime.getRuntime().addShutdownHook(cleaning);
        long number = Math.clamp(records / inMemory + 1, 1, MAX_FILES);
        for (int i = 0; i < number; i++) {
            files.add(new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file(i)))));
        }
    }

    private Path file(int number) {
        return folder.resolve("facts-" + number);
    }

    int count() {
        return files.size();
    }

    void add(RecordFact fact) throws IOException {
        DataOutputStream out = files.get(Math.floorMod(fact.session().hashCode(), files.size()));
        out.writeByte(fact.kind().ordinal());
        out.writeUTF(fact.session());
        out.writeUTF(fact.place().topic());
        out.writeInt(fact.place().partition());
        out.writeLong(fact.place().offset());
        out.writeLong(fact.place().at().toEpochMilli());
        out.writeLong(fact.seq());
        write(out, fact.id());
        write(out, fact.turn());
        write(out, fact.call());
        out.writeUTF(fact.word());
        out.writeUTF(fact.more());
        out.writeBoolean(fact.who() != null);
        out.writeUTF(fact.who() == null ? "" : fact.who());
        out.writeBoolean(fact.flag());
        out.writeLong(fact.until() == null ? Long.MIN_VALUE : fact.until().toEpochMilli());
    }

    private static void write(DataOutputStream out, @Nullable UUID id) throws IOException {
        out.writeBoolean(id != null);
        if (id != null) {
            out.writeLong(id.getMostSignificantBits());
            out.writeLong(id.getLeastSignificantBits());
        }
    }

    /** Verifies the facts of one file after the other. */
    void prove(Supplier<TopicVerifier> proofs) throws IOException {
        for (int i = 0; i < files.size(); i++) {
            files.get(i).close();
            TopicVerifier proof = proofs.get();
            try (var in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file(i))))) {
                while (true) {
                    proof.take(read(in));
                }
            } catch (EOFException e) {
                proof.end();
            }
            Files.delete(file(i));
        }
    }

    private static RecordFact read(DataInputStream in) throws IOException {
        RecordFactBuilder fact = RecordFactBuilder.builder()
                .kind(FactKind.values()[in.readByte()])
                .session(in.readUTF())
                .place(new Place(
                        in.readUTF().intern(), in.readInt(), in.readLong(), Instant.ofEpochMilli(in.readLong())))
                .seq(in.readLong())
                .id(id(in))
                .turn(id(in))
                .call(id(in))
                .word(in.readUTF().intern())
                .more(in.readUTF().intern());
        boolean hasWho = in.readBoolean();
        String who = in.readUTF();
        fact.who(hasWho ? who : null).flag(in.readBoolean());
        long until = in.readLong();
        return fact.until(until == Long.MIN_VALUE ? null : Instant.ofEpochMilli(until))
                .build();
    }

    private static @Nullable UUID id(DataInputStream in) throws IOException {
        return in.readBoolean() ? new UUID(in.readLong(), in.readLong()) : null;
    }

    @Override
    public void close() throws IOException {
        for (DataOutputStream file : files) {
            file.close();
        }
        delete();
        try {
            Runtime.getRuntime().removeShutdownHook(cleaning);
        } catch (IllegalStateException e) {
            // the JVM is shutting down: the hook runs
        }
    }

    private void delete() {
        for (int i = 0; i < files.size(); i++) {
            file(i).toFile().delete();
        }
        folder.toFile().delete();
    }
}
