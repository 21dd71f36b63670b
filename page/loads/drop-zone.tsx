import { useState } from 'preact/hooks';
import { formatBytes, MAX_LOAD_BYTES } from './loads-api.ts';

interface DropZoneProps {
  /** True once files are chosen, when it takes less room. */
  readonly isSmall: boolean;
  readonly take: (files: readonly File[]) => void;
}

/** The place where files are dropped, which is a button that asks for them, too. */
export function DropZone({ isSmall, take }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take([...(event.dataTransfer?.files ?? [])]);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <label
      class={`drop${isSmall ? ' small' : ''}${isOver ? ' over' : ''}`}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        class="unseen"
        type="file"
        multiple
        onChange={({ currentTarget }) => {
          take([...(currentTarget.files ?? [])]);
          // The same file may be chosen again after it is taken out.
          currentTarget.value = '';
        }}
      />
      <strong>{isSmall ? 'Add more files' : 'Drop files here'}</strong>
      <span>
        {isSmall ? 'Drop them here, or ' : 'or '}
        <span class="choose">choose them</span>
      </span>
      {!isSmall && (
        <span class="hint">
          CSV files and workbooks (.xlsx) of any program, JSON and Parquet. Up to {formatBytes(MAX_LOAD_BYTES)}{' '}
          together.
        </span>
      )}
    </label>
  );
}
