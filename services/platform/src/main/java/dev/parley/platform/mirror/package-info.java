/** Records as they stand in JSON mirrors of topics. */
@NullMarked
package dev.parley.platform.mirror;

import org.jspecify.annotations.NullMarked;
