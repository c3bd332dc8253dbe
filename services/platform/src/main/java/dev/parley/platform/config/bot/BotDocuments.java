package dev.parley.platform.config.bot;

import dev.parley.channels.contract.BotKind;
import dev.parley.domain.document.Fault;
import dev.parley.platform.document.Document;
import dev.parley.platform.document.InvalidDocumentException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads and writes bots, so that the same document is valid in {@code parley.yml}, in requests and in rows. */
public final class BotDocuments {
    /** Fields that only the operator sets, in {@code parley.yml}. */
    public static final Set<String> OF_OPERATOR = Set.of("project", "webhook", "webhookSecret", "webhookFrom");

    /** Fields of bots that are no settings: they have columns of their own, or are sealed. */
    private static final Set<String> OUTSIDE = Set.of("name", "kind", "token", "secrets");

    private static final Document<BotConfig> BOT = Document.of(BotConfig.class);
    private static final String URL = "url";
    private static final String GROUPS = "groups";
    private static final String PAIRING = "pairing";
    private static final String LISTEN = "listen";
    private static final String SETTINGS = "settings";

    private BotDocuments() {}

    /** The names of all fields. */
    public static List<String> fields() {
        return BOT.names();
    }

    /**
     * Reads a bot. What its document leaves out has the default of its kind.
     *
     * @param kind null for the kind of a plug-in
     * @param others faults that were found before
     * @throws InvalidDocumentException with all faults
     */
    public static BotConfig read(Map<String, @Nullable Object> fields, @Nullable BotKind kind, List<Fault> others) {
        var document = new LinkedHashMap<String, @Nullable Object>(fields);
        List<Fault> faults = kind == null ? List.of() : ofKind(kind, document);
        if (kind != null && kind.isPlatform()) {
            stripSlash(document, URL);
            document.putIfAbsent(URL, Objects.requireNonNull(kind.api()).toString());
            document.putIfAbsent(GROUPS, "mention");
            document.putIfAbsent("stream", true);
        }
        stripSlash(document, "webhook");
        var found = new ArrayList<>(others);
        try {
            BotConfig bot = BOT.read(document);
            if (others.isEmpty() && faults.isEmpty()) {
                return bot;
            }
        } catch (InvalidDocumentException e) {
            found.addAll(e.faults());
        }
        found.addAll(faults);
        throw new InvalidDocumentException(found);
    }

    private static void stripSlash(Map<String, @Nullable Object> document, String field) {
        if (document.get(field) instanceof String url) {
            document.put(field, url.replaceAll("/+$", ""));
        }
    }

    /** What bots of this kind cannot have, or lack. */
    private static List<Fault> ofKind(BotKind kind, Map<String, @Nullable Object> document) {
        var faults = new ArrayList<Fault>();
        if (!kind.isPlatform()) {
            if (isTrue(document.get(PAIRING))) {
                faults.add(new Fault(PAIRING, "is only for bots of chat platforms"));
            }
            if (document.get(GROUPS) != null) {
                faults.add(new Fault(GROUPS, "is only for bots of chat platforms"));
            }
            if (isTrue(document.get(LISTEN))) {
                faults.add(new Fault(LISTEN, "is only for bots of chat platforms"));
            }
            if (document.get(URL) == null) {
                faults.add(new Fault(URL, "is required: replies are sent there"));
            }
        }
        if (document.get("allowedUsers") instanceof List<?> users
                && !users.stream().allMatch(user -> user == null || kind.user().fits(user.toString()))) {
            faults.add(new Fault("allowedUsers", kind.user().words()));
        }
        Collection<?> secrets = document.get("secrets") instanceof Map<?, ?> named ? named.keySet() : Set.of();
        if (!kind.secrets().keySet().containsAll(secrets)) {
            faults.add(new Fault("secrets", "has a secret that bots of this kind do not use"));
        }
        if (secrets.isEmpty() && !kind.secrets().isEmpty()) {
            faults.add(new Fault(
                    "secrets", "needs one of " + new TreeSet<>(kind.secrets().keySet())));
        }
        faults.addAll(ofSettings(kind, document.get(SETTINGS) instanceof Map<?, ?> named ? named : Map.of()));
        return faults;
    }

    private static List<Fault> ofSettings(BotKind kind, Map<?, ?> settings) {
        var faults = new ArrayList<Fault>();
        if (!kind.settings().keySet().containsAll(settings.keySet())) {
            faults.add(new Fault(SETTINGS, "has a setting that bots of this kind do not have"));
        }
        new TreeMap<>(kind.settings()).forEach((name, form) -> {
            Object value = settings.get(name);
            if (!form.fits(value == null ? "" : value.toString())) {
                faults.add(new Fault(SETTINGS + "." + name, value == null ? Fault.MISSING : form.words()));
            }
        });
        return faults;
    }

    private static boolean isTrue(@Nullable Object value) {
        return "true".equals(String.valueOf(value));
    }

    /** Whether a field is a setting that requests and rows have. */
    public static boolean isSetting(String field) {
        return !OUTSIDE.contains(field) && !OF_OPERATOR.contains(field);
    }

    /** The settings of a bot as requests and rows have them; the platform's own URL is none. */
    public static Map<String, @Nullable Object> settings(BotConfig bot) {
        Map<String, @Nullable Object> settings = BOT.write(bot);
        settings.keySet().removeIf(field -> !isSetting(field));
        if (bot.settings() == null) {
            settings.remove(SETTINGS);
        }
        String api = BotKinds.find(bot.kind())
                .map(kind -> String.valueOf(kind.api()))
                .orElse("");
        if (api.equals(settings.get(URL))) {
            settings.put(URL, null);
        }
        return settings;
    }

    /**
     * Reads a bot of which a row has the settings. Settings that a newer instance has written are left out.
     *
     * @param secrets references by name
     * @throws InvalidDocumentException with all faults
     */
    public static BotConfig read(
            String name, BotKind kind, String project, String token, Map<String, String> secrets, Map<?, ?> settings) {
        var document = new LinkedHashMap<String, @Nullable Object>();
        settings.forEach((field, value) -> document.put(String.valueOf(field), value));
        document.keySet().retainAll(BOT.names());
        if (!kind.isPlatform()) {
            document.keySet().removeAll(Set.of(GROUPS, PAIRING, LISTEN));
        }
        document.put("name", name);
        document.put("kind", kind.name());
        document.put("project", project);
        document.put("token", token);
        document.put("secrets", secrets);
        return read(document, kind, List.of());
    }
}
