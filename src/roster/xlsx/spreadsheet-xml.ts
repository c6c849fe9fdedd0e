// Reads workbooks in the XML of Excel 2003.
import type { SheetBuilder } from '../workbook/sheet-builder.ts';
import { isRounded, plainTime, writeCell } from './number-format.ts';
import { type Attributes, attributeOf, type XmlListener } from './xml.ts';

export function spreadsheetListener(builder: SheetBuilder): XmlListener {
  let line = 0;
  let times = 1;
  let isHidden = false;
  let column = -1;
  let cell: Attributes = {};
  let type: string | undefined;
  let data = '';
  let isData = false;

  const valueOf = (): string => {
    switch (type) {
      case undefined:
        return attributeOf(cell, 'Formula') === undefined ? '' : builder.formula(column, line);
      case 'Error':
        return builder.error(data, column, line);
      case 'Number':
        if (isRounded(Number(data))) builder.note('rounded', column, line);
        return writeCell(data.trim(), { kind: 'plain' }, false);
      case 'Boolean':
        return data.trim() === '1' ? 'TRUE' : 'FALSE';
      case 'DateTime':
        return plainTime(data.trim());
      default:
        return data;
    }
  };
  return {
    open(name, attributes) {
      const at = (key: string) => attributeOf(attributes, key);
      switch (name) {
        case 'Worksheet':
          // Whether it is hidden stands behind its rows; a hidden sheet is rare in what systems write.
          builder.begin({ name: at('Name') ?? '', isHidden: false });
          line = 0;
          return;
        case 'Row':
          line = at('Index') === undefined ? line + 1 : Number(at('Index'));
          times = Number(at('Span') ?? 0) + 1;
          isHidden = at('Hidden') === '1';
          column = -1;
          return;
        case 'Cell': {
          const index = at('Index');
          column = index === undefined ? column + 1 : Number(index) - 1;
          while (index === undefined && builder.isCovered(column, line)) column++;
          cell = attributes;
          type = undefined;
          data = '';
          return;
        }
        case 'Data':
          type = at('Type') ?? 'String';
          isData = true;
      }
    },
    text(text) {
      if (isData) data = builder.append(data, text);
    },
    close(name) {
      if (name === 'Data') isData = false;
      if (name === 'Cell') {
        const at = (key: string) => Number(attributeOf(cell, key) ?? 0);
        const text = valueOf();
        builder.cell(column, text);
        for (let right = 0; right <= at('MergeAcross') && at('MergeDown') > 0; right++)
          builder.span(column + right, line + at('MergeDown'), right === 0 ? text : '');
        column += at('MergeAcross');
      }
      if (name !== 'Row') return;
      builder.row(line, isHidden);
      line += times - 1;
    },
  };
}
