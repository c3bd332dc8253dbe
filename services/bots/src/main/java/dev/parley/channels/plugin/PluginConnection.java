package dev.parley.channels.plugin;

import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.GrowingAnswer;
import dev.parley.channels.contract.Growth;
import dev.parley.channels.contract.Limits;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure;
import dev.parley.domain.protocol.Choice;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection of a plug-in; a fault only fails the current call. */
final class PluginConnection implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(PluginConnection.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    /** A chat waits so long at most for what became of one message. */
    private static final Duration MAX_REPORT = Duration.ofMinutes(5);

    private static final Pattern REFERENCE = Pattern.compile("\\P{Cntrl}{1,126}");

    private final String plugin;
    private final Connection theirs;
    private final boolean sendsOnce;
    private final boolean remembersDeliveries;
    private final boolean editsMessages;

    PluginConnection(String plugin, Connection theirs) {
        this.plugin = plugin;
        this.theirs = theirs;
        this.sendsOnce = orElse(false, theirs::sendsOnce);
        this.remembersDeliveries = orElse(sendsOnce, theirs::remembersDeliveries);
        this.editsMessages = orElse(true, theirs::editsMessages);
    }

    private interface PluginCall<T> {
        T ask() throws SendFailure, InterruptedException;
    }

    /** Faults are retried and abandoned in the same way as those of built-in channels. */
    private <T> T asking(PluginCall<T> call) throws SendFailure, InterruptedException {
        try {
            return call.ask();
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            throw new IllegalStateException(fault(e), e);
        }
    }

    private String fault(Throwable e) {
        LOG.atWarn().addKeyValue("plugin", plugin).setCause(e).log("plug-in fault");
        return "the plug-in %s has a fault: %s".formatted(plugin, e.getClass().getName());
    }

    private <T> T orElse(T other, Supplier<T> call) {
        try {
            return call.get();
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            fault(e);
            return other;
        }
    }

    @Override
    public List<Piece> pieces(String text) {
        List<Piece> pieces = orElse(List.of(), () -> List.copyOf(theirs.pieces(text)));
        return pieces.isEmpty() ? List.of(Piece.Words.plain(text)) : pieces;
    }

    @Override
    public List<Piece> pieces(String text, List<Choice> choices) {
        List<Piece> pieces = orElse(List.of(), () -> List.copyOf(theirs.pieces(text, choices)));
        return pieces.isEmpty() ? List.of(Piece.Words.plain(text).with(choices)) : pieces;
    }

    @Override
    public Piece.Words draft(String text) {
        return orElse(Piece.Words.plain(text), () -> theirs.draft(text));
    }

    @Override
    public Piece.Words opening(GrowingAnswer answer) {
        return orElse(Piece.Words.plain(answer.words()), () -> theirs.opening(answer));
    }

    @Override
    public boolean sendsOnce() {
        return sendsOnce;
    }

    @Override
    public boolean remembersDeliveries() {
        return remembersDeliveries;
    }

    @Override
    public boolean editsMessages() {
        return editsMessages;
    }

    @Override
    public Duration reportsWithin() {
        Duration wait = orElse(Duration.ZERO, theirs::reportsWithin);
        return wait.compareTo(MAX_REPORT) < 0 ? wait : MAX_REPORT;
    }

    @Override
    public String send(ConversationAddress to, Piece piece, Delivery delivery)
            throws SendFailure, InterruptedException {
        String reference = asking(() -> theirs.send(to, piece, delivery));
        return REFERENCE.matcher(reference).matches() ? reference : delivery.id();
    }

    @Override
    public void edit(ConversationAddress address, String message, Piece.Words words)
            throws SendFailure, InterruptedException {
        asking(() -> {
            theirs.edit(address, message, words);
            return message;
        });
    }

    @Override
    public long largestFile() {
        return orElse(0L, theirs::largestFile);
    }

    @Override
    public Growth growth(ConversationAddress address) {
        return orElse(Growth.NONE, () -> theirs.growth(address));
    }

    @Override
    public void grow(ConversationAddress address, String message, GrowingAnswer answer)
            throws SendFailure, InterruptedException {
        asking(() -> {
            theirs.grow(address, message, answer);
            return message;
        });
    }

    @Override
    public @Nullable String preview(ConversationAddress address, GrowingAnswer answer)
            throws SendFailure, InterruptedException {
        Optional<String> reference = asking(() -> Optional.ofNullable(theirs.preview(address, answer)));
        return reference.filter(REFERENCE.asMatchPredicate()).orElse(null);
    }

    @Override
    public void ended(ConversationAddress address, UUID turn) throws SendFailure, InterruptedException {
        asking(() -> {
            theirs.ended(address, turn);
            return turn;
        });
    }

    @Override
    public Limits limits(ConversationAddress address) {
        return orElse(BrokenConnection.LIMITS, () -> theirs.limits(address));
    }

    @Override
    public void working(ConversationAddress address) throws SendFailure, InterruptedException {
        asking(() -> {
            theirs.working(address);
            return address;
        });
    }

    @Override
    public Optional<String> problem() {
        try {
            return theirs.problem();
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            return Optional.of(fault(e));
        }
    }

    /** Waits at most 5 s, because bots are closed one after the other. */
    @Override
    public void close() {
        Thread closing = Thread.ofVirtual()
                .name("plug-in-bot-closes")
                .start(() -> orElse("", () -> {
                    theirs.close();
                    return "";
                }));
        try {
            if (!closing.join(CLOSE_TIMEOUT)) {
                closing.interrupt();
                LOG.atWarn().addKeyValue("plugin", plugin).log("plug-in bot did not close in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
