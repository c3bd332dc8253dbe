package dev.parley.domain.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.io.IOContext;
import java.io.DataInput;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;

/** A factory of {@link BoundedJsonParser}s. */
final class BoundedJsonFactory extends JsonFactory {
    private static final long serialVersionUID = 1L;

    private final JsonBounds bounds;

    BoundedJsonFactory(JsonBounds bounds) {
        super(new JsonFactoryBuilder().streamReadConstraints(bounds.constraints()));
        this.bounds = bounds;
    }

    private JsonParser bounded(JsonParser parser) {
        return new BoundedJsonParser(parser, bounds);
    }

    @Override
    public JsonFactory copy() {
        return new BoundedJsonFactory(bounds);
    }

    @Override
    protected JsonParser _createParser(InputStream in, IOContext context) throws IOException {
        return bounded(super._createParser(in, context));
    }

    @Override
    protected JsonParser _createParser(Reader reader, IOContext context) throws IOException {
        return bounded(super._createParser(reader, context));
    }

    @Override
    protected JsonParser _createParser(char[] data, int offset, int length, IOContext context, boolean recyclable)
            throws IOException {
        return bounded(super._createParser(data, offset, length, context, recyclable));
    }

    @Override
    protected JsonParser _createParser(byte[] data, int offset, int length, IOContext context) throws IOException {
        return bounded(super._createParser(data, offset, length, context));
    }

    @Override
    protected JsonParser _createParser(DataInput input, IOContext context) throws IOException {
        return bounded(super._createParser(input, context));
    }
}
