package dev.parley.channels.chat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.contract.BotKind.Form;
import dev.parley.channels.contract.Finding;
import dev.parley.channels.contract.MenuCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Findings about one bot, in order, with secrets redacted. */
public final class Findings {
    private final List<Finding> found = new ArrayList<>();
    private final List<String> hidden = new ArrayList<>();

    public void fine(String text) {
        add(true, text);
    }

    public void bad(String text) {
        add(false, text);
    }

    public void add(boolean isFine, String text) {
        found.add(new Finding(isFine, text));
    }

    /**
     * Resolves a secret of the bot; a missing one is a finding.
     *
     * @param name such as {@code token}
     * @param secret throws {@link IllegalStateException} where it is missing
     */
    public Optional<String> secret(String name, Supplier<String> secret) {
        try {
            String text = secret.get();
            hidden.add(text);
            return Optional.of(text);
        } catch (IllegalStateException e) {
            bad("its %s: %s".formatted(name, e.getMessage()));
            return Optional.empty();
        }
    }

    /** A hint about the format of a rejected secret; empty where it matches. */
    public static String formatHint(Form form, String secret) {
        return form.fits(secret) ? "" : "; its format is wrong: it " + form.words();
    }

    /**
     * Whether the commands are registered.
     *
     * @param name the field with the name of a command
     * @param commands of the bot
     */
    public void commands(JsonNode registered, String name, List<MenuCommand> commands) {
        Set<String> missing = commands.stream().map(MenuCommand::name).collect(Collectors.toCollection(TreeSet::new));
        registered.forEach(command -> missing.remove(command.path(name).asText()));
        fine(
                missing.isEmpty()
                        ? "its commands are registered"
                        : "its commands are not registered (%s missing); Parley registers them when it starts"
                                .formatted(String.join(", ", missing)));
    }

    public boolean isEmpty() {
        return found.isEmpty();
    }

    public List<Finding> list() {
        return found.stream()
                .map(finding -> new Finding(finding.isFine(), redact(finding.text())))
                .toList();
    }

    private String redact(String text) {
        String redacted = text;
        for (String secret : hidden) {
            redacted = redacted.replace(secret, "…");
        }
        return redacted;
    }
}
