package dev.parley.schemas;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Every schema that a Parley record was ever written with, by id, by name and by fingerprint.
 *
 * <p>{@code parley/schema-ids.properties} lists them, {@code id=name:version}. The newest version of a name is the file
 * in {@code parley/avro}; older ones stand as they were released in {@code parley/released/{version}}.
 */
public final class SchemaCatalog {
    private static final String IDS = "parley/schema-ids.properties";

    private final Map<Integer, BundledSchema> byId = new TreeMap<>();
    private final Map<String, BundledSchema> current = new HashMap<>();
    private final Map<String, BundledSchema> byReference = new HashMap<>();

    private SchemaCatalog(Collection<BundledSchema> schemas) {
        for (BundledSchema schema : schemas) {
            byId.put(schema.id(), schema);
            current.merge(schema.schema().getName(), schema, SchemaCatalog::newer);
            byReference.put(schema.reference(), schema);
        }
    }

    private static BundledSchema newer(BundledSchema one, BundledSchema other) {
        if (!one.name().equals(other.name())) {
            throw new IllegalStateException(
                    "two records that stand alone share a simple name: " + one.name() + " and " + other.name());
        }
        return one.version() > other.version() ? one : other;
    }

    /**
     * The catalogue that comes with this build.
     *
     * @throws IllegalStateException when a schema is missing or no schema
     */
    public static SchemaCatalog bundled() {
        return Bundled.CATALOG;
    }

    /** All, in order of id. */
    public List<BundledSchema> all() {
        return List.copyOf(byId.values());
    }

    /** The one with this bundled id. */
    public Optional<BundledSchema> byId(int id) {
        return Optional.ofNullable(byId.get(id));
    }

    /** The newest version of the record with this simple name, for example {@code TurnAccepted}. */
    public Optional<BundledSchema> current(String simpleName) {
        return Optional.ofNullable(current.get(simpleName));
    }

    /** The one with this {@link BundledSchema#reference()}. */
    public Optional<BundledSchema> byReference(String reference) {
        return Optional.ofNullable(byReference.get(reference));
    }

    private static final class Bundled {
        static final SchemaCatalog CATALOG = load();

        private static SchemaCatalog load() {
            var lines = lines();
            var newest = new HashMap<String, Integer>();
            lines.forEach(line -> newest.merge(line.name(), line.version(), Math::max));
            var sets = new HashMap<String, SchemaFiles>();
            var schemas = new ArrayList<BundledSchema>();
            for (Line line : lines) {
                boolean isNewest = Objects.equals(newest.get(line.name()), line.version());
                String folder = isNewest ? "parley/avro/" : "parley/released/" + line.version() + "/";
                var schema = sets.computeIfAbsent(folder, SchemaFiles::new).load(line.name());
                schemas.add(new BundledSchema(line.id(), line.version(), schema));
            }
            return new SchemaCatalog(schemas);
        }

        private static List<Line> lines() {
            var properties = new Properties();
            try (InputStream in = SchemaCatalog.class.getClassLoader().getResourceAsStream(IDS)) {
                properties.load(in);
            } catch (IOException e) {
                throw new IllegalStateException(IDS + " cannot be read: " + e.getMessage(), e);
            }
            return properties.stringPropertyNames().stream()
                    .map(id -> Line.parse(id, properties.getProperty(id)))
                    .sorted(Comparator.comparingInt(Line::id))
                    .toList();
        }
    }

    private record Line(int id, String name, int version) {
        static Line parse(String id, String value) {
            int colon = value.lastIndexOf(':');
            try {
                return new Line(
                        Integer.parseInt(id), value.substring(0, colon), Integer.parseInt(value.substring(colon + 1)));
            } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
                throw new IllegalStateException(IDS + " has lines id=name:version, not " + id + "=" + value, e);
            }
        }
    }
}
